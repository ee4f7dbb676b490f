"""The clock of a game in whole microseconds since 1970; what a participant's time is read from."""

from dataclasses import dataclass, replace

from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.scoring.fact import micros

_MICROS_OF_A_MILLISECOND = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class GameClock:
    start_us: int
    end_us: int
    freeze_us: int | None = None
    removed: tuple[tuple[int, int], ...] = ()
    closes_us: int | None = None
    """When the result became official: what became known later changes nothing."""

    def running_us(self, at_us: int) -> int:
        """How long the clock has been running. It stands still in a removed interval (ADR 0060)."""
        running = at_us - self.start_us
        for since, until in self.removed:
            if at_us > since:
                running -= min(at_us, until) - since
        return running

    def elapsed_ms(self, at_us: int) -> int:
        return self.running_us(at_us) // _MICROS_OF_A_MILLISECOND

    def starting_at(self, start_us: int) -> "GameClock":
        """The same game on another day: as long, frozen as late, and nothing removed or closed."""
        freeze_us = None if self.freeze_us is None else start_us + self.running_us(self.freeze_us)
        end_us = start_us + self.running_us(self.end_us)
        return replace(
            self, start_us=start_us, end_us=end_us, freeze_us=freeze_us, removed=(), closes_us=None
        )


def clock_of(schedule: Schedule) -> GameClock:
    return GameClock(
        start_us=micros(schedule.start),
        end_us=micros(schedule.end),
        freeze_us=None if schedule.freeze is None else micros(schedule.freeze),
        removed=tuple((micros(gap.since), micros(gap.until)) for gap in schedule.removed),
        closes_us=None if schedule.finalized_at is None else micros(schedule.finalized_at),
    )
