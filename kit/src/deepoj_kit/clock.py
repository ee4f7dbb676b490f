"""The time of day as a dependency. Intervals within a process are measured by `time.monotonic`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Return an aware datetime in UTC."""
        ...


def system_clock() -> datetime:
    return datetime.now(UTC)
