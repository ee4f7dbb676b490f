"""The clock of a game: removed intervals (ADR 0060) and runs of one's own."""

from dataclasses import replace
from datetime import timedelta

import pytest

from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.clock import GameClock, clock_of
from deepoj_domain.game.scoring.testing import START_US, at
from deepoj_domain.testing import NOW, a_plan

MINUTE = timedelta(minutes=1)
GAPS = (Interval(NOW + 60 * MINUTE, NOW + 80 * MINUTE), Interval(NOW + 100 * MINUTE, NOW + 110 * MINUTE))
SCHEDULE = replace(a_plan().schedule, removed=GAPS)


@pytest.mark.parametrize(
    ("minute", "elapsed"),
    [(0, 0), (59, 59), (60, 60), (70, 60), (80, 60), (81, 61), (100, 80), (105, 80), (110, 80), (300, 270)],
)
def test_the_clock_stands_still_in_removed_intervals(minute: int, elapsed: int) -> None:
    assert clock_of(SCHEDULE).elapsed_ms(at(minute)) == elapsed * 60_000


def test_a_millisecond_is_floored() -> None:
    assert clock_of(a_plan().schedule).elapsed_ms(START_US + 1999) == 1


def test_a_run_of_ones_own_is_as_long_and_frozen_as_late_with_nothing_removed() -> None:
    own = clock_of(SCHEDULE).starting_at(at(1000))
    assert own == GameClock(start_us=at(1000), end_us=at(1270), freeze_us=at(1210))
    assert own.elapsed_ms(at(1070)) == 70 * 60_000


def test_a_clock_without_a_freeze_gives_runs_without_one() -> None:
    assert clock_of(replace(SCHEDULE, freeze=None)).starting_at(at(1000)).freeze_us is None


def test_a_finalized_game_is_closed_but_runs_of_ones_own_are_not() -> None:
    clock = clock_of(replace(SCHEDULE, finalized_at=NOW + 400 * MINUTE))
    assert clock.closes_us == at(400)
    assert clock.starting_at(at(1000)).closes_us is None
