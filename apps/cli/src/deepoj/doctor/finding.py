"""What one check found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    OK = "ok"
    WARNING = "warning"
    """Deep-OJ runs, with less: a language, a limit, speed."""
    MISSING = "missing"
    """Deep-OJ does not run."""


@dataclass(frozen=True, slots=True)
class Finding:
    group: str
    name: str
    status: Status
    found: str
    remedy: str = ""


def finding(group: str, name: str, found: str, *, good: bool, remedy: str, required: bool = True) -> Finding:
    if good:
        return Finding(group, name, Status.OK, found)
    return Finding(group, name, Status.MISSING if required else Status.WARNING, found, remedy)
