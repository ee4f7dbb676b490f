"""When a game starts, freezes and ends, and what that makes of any moment."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.errors import InvalidValueError

# Far enough from where the calendar ends for every sum of moments and lengths.
_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
_LATEST = datetime(3000, 1, 1, tzinfo=UTC)


class Phase(StrEnum):
    BEFORE = "before"
    RUNNING = "running"
    FROZEN = "frozen"
    """Still running; the public board stands still."""
    ENDED = "ended"
    FINALIZED = "finalized"
    """The result is official: no ruling and no rejudge changes it any more."""

    @property
    def is_live(self) -> bool:
        return self in {Phase.RUNNING, Phase.FROZEN}

    @property
    def is_over(self) -> bool:
        return self in {Phase.ENDED, Phase.FINALIZED}


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """From `since` up to but without `until`."""

    since: datetime
    until: datetime

    def __post_init__(self) -> None:
        require_utc(self.since, self.until)
        if self.since >= self.until:
            raise InvalidValueError("interval_reversed", "an interval must begin before it ends")

    @property
    def length(self) -> timedelta:
        return self.until - self.since


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    start: datetime
    end: datetime
    freeze: datetime | None = None
    removed: tuple[Interval, ...] = ()
    """In order of time. The game's clock stands still in them (ADR 0060)."""
    unfrozen_at: datetime | None = None
    finalized_at: datetime | None = None

    def __post_init__(self) -> None:
        require_utc(self.start, self.end, self.freeze, self.unfrozen_at, self.finalized_at)
        if self.start < _EARLIEST or self.end > _LATEST:
            raise InvalidValueError(
                "game_times_out_of_range",
                f"a game lies between the years {_EARLIEST.year} and {_LATEST.year}",
            )
        if self.start >= self.end:
            raise InvalidValueError("game_times_reversed", "a game must start before it ends")
        if self.freeze is not None and not self.start <= self.freeze < self.end:
            raise InvalidValueError("game_freeze_outside", "the freeze must lie between start and end")
        self._require_removed_in_order()

    def _require_removed_in_order(self) -> None:
        for one, other in zip(self.removed, self.removed[1:], strict=False):
            if other.since < one.until:
                raise InvalidValueError(
                    "intervals_overlap", "two removed intervals overlap or are out of order"
                )
        if self.removed and not self.start <= self.removed[0].since <= self.removed[-1].until <= self.end:
            raise InvalidValueError("interval_outside", "a removed interval must lie between start and end")
        if self.length <= timedelta(0):
            raise InvalidValueError("nothing_left", "the removed intervals leave nothing of the game")

    @property
    def length(self) -> timedelta:
        """How long the game's clock runs."""
        removed = sum((interval.length for interval in self.removed), timedelta(0))
        return self.end - self.start - removed

    def phase_at(self, now: datetime) -> Phase:
        """Each boundary belongs to the phase it begins: a submission at the end is too late."""
        if now < self.start:
            return Phase.BEFORE
        if self.finalized_at is not None and now >= self.finalized_at:
            return Phase.FINALIZED
        if now >= self.end:
            return Phase.ENDED
        if self.freeze is not None and now >= self.freeze:
            return Phase.FROZEN
        return Phase.RUNNING

    def board_is_frozen(self, now: datetime) -> bool:
        """The board stays frozen after the end, until somebody unfreezes it."""
        if self.freeze is None or now < self.freeze:
            return False
        return self.unfrozen_at is None or now < self.unfrozen_at

    def extended(self, by: timedelta, now: datetime) -> "Schedule":
        """A freeze that has begun stays: moved, it would show what the board has hidden since."""
        freeze = self.freeze
        if freeze is not None and now < freeze:
            freeze += by
        return replace(self, end=self.end + by, freeze=freeze)

    def moved_to(self, other: "Schedule") -> "Schedule":
        """The times of `other` with what has been decided about this one."""
        return replace(self, start=other.start, end=other.end, freeze=other.freeze)

    def without(self, interval: Interval) -> "Schedule":
        return replace(self, removed=tuple(sorted((*self.removed, interval))))
