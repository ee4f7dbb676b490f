"""What admission is told before it decides."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AccountLoad:
    in_flight: int
    submitted_today: int


@dataclass(frozen=True, slots=True)
class SystemState:
    """None: nobody could say."""

    queue_depth: int | None
    live_workers: int | None
