"""The languages that can be judged, as the judge itself finds them on this machine."""

from __future__ import annotations

from collections.abc import Iterable

from deepoj.doctor.finding import Finding, finding
from deepoj.setter.events import Language, Languages
from deepoj.setter.process import events

GROUP = "languages"


def languages() -> list[Language]:
    return [row for event in events("languages") if isinstance(event, Languages) for row in event.languages]


def toolchain_findings(rows: Iterable[Language]) -> list[Finding]:
    return [
        finding(
            GROUP,
            row.slug,
            row.version or "not installed",
            good=bool(row.version),
            remedy=f"deepoj doctor --install, or install the Debian package {row.package}",
            required=False,
        )
        for row in rows
    ]
