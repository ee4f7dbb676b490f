"""The time as a dependency: nothing else in the repository asks the system for it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Return an aware datetime in UTC."""
        ...


def system_clock() -> datetime:
    return datetime.now(UTC)
