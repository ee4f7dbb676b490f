"""When a game starts, freezes and ends, and what that makes of any moment."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError


class Phase(StrEnum):
    BEFORE = "before"
    RUNNING = "running"
    FROZEN = "frozen"
    """Still running; the public board stands still."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    start: datetime
    end: datetime
    freeze: datetime | None = None
    unfrozen_at: datetime | None = None

    def __post_init__(self) -> None:
        require_utc(self.start, self.end, self.freeze, self.unfrozen_at)
        if self.start >= self.end:
            raise InvalidValueError("game_times_reversed", "a game must start before it ends")
        if self.freeze is not None and not self.start <= self.freeze < self.end:
            raise InvalidValueError("game_freeze_outside", "the freeze must lie between start and end")

    def phase_at(self, now: datetime) -> Phase:
        """Each boundary belongs to the phase it begins: a submission at the end is too late."""
        if now < self.start:
            return Phase.BEFORE
        if now >= self.end:
            return Phase.ENDED
        if self.freeze is not None and now >= self.freeze:
            return Phase.FROZEN
        return Phase.RUNNING

    def is_live(self, now: datetime) -> bool:
        return self.phase_at(now) in {Phase.RUNNING, Phase.FROZEN}

    def board_is_frozen(self, now: datetime) -> bool:
        """The board stays frozen after the end, until somebody unfreezes it."""
        if self.freeze is None or now < self.freeze:
            return False
        return self.unfrozen_at is None or now < self.unfrozen_at

    def extended(self, by: timedelta) -> "Schedule":
        return replace(self, end=self.end + by, freeze=self.freeze and self.freeze + by)
