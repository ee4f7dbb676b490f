from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from deepoj_domain.game.schedule import Interval, Phase, Schedule
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.testing import NOW, a_plan

HOUR = timedelta(hours=1)
TICK = timedelta(microseconds=1)
PLAN = a_plan().schedule
START, FREEZE, END = NOW, NOW + 4 * HOUR, NOW + 5 * HOUR


@pytest.mark.parametrize(
    ("moment", "phase"),
    [
        (START - TICK, Phase.BEFORE),
        (START, Phase.RUNNING),
        (FREEZE - TICK, Phase.RUNNING),
        (FREEZE, Phase.FROZEN),
        (END - TICK, Phase.FROZEN),
        (END, Phase.ENDED),
    ],
)
def test_each_boundary_belongs_to_the_phase_it_begins(moment: datetime, phase: Phase) -> None:
    assert PLAN.phase_at(moment) is phase


def test_without_a_freeze_the_board_is_never_frozen() -> None:
    open_board = replace(PLAN, freeze=None)
    assert open_board.phase_at(END - TICK) is Phase.RUNNING
    assert not open_board.board_is_frozen(END)


def test_the_board_stays_frozen_after_the_end_until_it_is_unfrozen() -> None:
    assert not PLAN.board_is_frozen(FREEZE - TICK)
    assert PLAN.board_is_frozen(END + 9 * HOUR)
    unfrozen = replace(PLAN, unfrozen_at=END + HOUR)
    assert unfrozen.board_is_frozen(END + HOUR - TICK)
    assert not unfrozen.board_is_frozen(END + HOUR)


def test_an_extension_moves_freeze_and_end_but_not_the_start() -> None:
    extended = PLAN.extended(HOUR, FREEZE - TICK)
    assert (extended.start, extended.freeze, extended.end) == (START, FREEZE + HOUR, END + HOUR)
    assert replace(PLAN, freeze=None).extended(HOUR, START).freeze is None


def test_an_extension_during_the_freeze_moves_only_the_end() -> None:
    extended = PLAN.extended(HOUR, FREEZE)
    assert (extended.start, extended.freeze, extended.end) == (START, FREEZE, END + HOUR)


def test_a_schedule_stays_away_from_the_ends_of_the_calendar() -> None:
    for start, end in ((START.replace(year=1969), END), (START, END.replace(year=3000))):
        with pytest.raises(InvalidValueError):
            Schedule(start=start, end=end)
    with pytest.raises(InvalidValueError):
        Schedule(start=START, end=END.replace(year=2999)).extended(400 * 24 * HOUR, START)


def test_a_finalized_game_is_in_a_phase_of_its_own() -> None:
    finalized = replace(PLAN, finalized_at=END + HOUR)
    assert finalized.phase_at(END + HOUR - TICK) is Phase.ENDED
    assert finalized.phase_at(END + HOUR) is Phase.FINALIZED
    assert {phase for phase in Phase if phase.is_live} == {Phase.RUNNING, Phase.FROZEN}
    assert {phase for phase in Phase if phase.is_over} == {Phase.ENDED, Phase.FINALIZED}


def hours(since: float, until: float) -> Interval:
    return Interval(START + since * HOUR, START + until * HOUR)


@pytest.mark.parametrize(
    ("removed", "code"),
    [
        ((hours(1, 2), hours(1.5, 3)), "intervals_overlap"),
        ((hours(2, 3), hours(1, 2)), "intervals_overlap"),
        ((hours(-1, 1),), "interval_outside"),
        ((hours(4, 6),), "interval_outside"),
        ((hours(0, 2), hours(2, 5)), "nothing_left"),
    ],
    ids=["overlap", "out of order", "before the start", "after the end", "everything"],
)
def test_removed_intervals_lie_apart_within_the_game(removed: tuple[Interval, ...], code: str) -> None:
    with pytest.raises(InvalidValueError) as refused:
        replace(PLAN, removed=removed)
    assert refused.value.code == code


def test_a_reversed_interval_is_refused() -> None:
    with pytest.raises(InvalidValueError) as refused:
        hours(2, 1)
    assert refused.value.code == "interval_reversed"


def test_removed_intervals_shorten_the_game_and_an_extension_gives_it_back() -> None:
    removed = PLAN.without(hours(2, 3)).without(hours(0, 1))
    assert removed.removed == (hours(0, 1), hours(2, 3))
    assert removed.length == 3 * HOUR
    assert removed.extended(2 * HOUR, START).length == PLAN.length


@pytest.mark.parametrize(
    ("end", "freeze"),
    [(START, None), (START - HOUR, None), (END, START - TICK), (END, END), (END, END + HOUR)],
    ids=["empty", "reversed", "freeze before", "freeze at end", "freeze after"],
)
def test_times_in_the_wrong_order_are_refused(end: datetime, freeze: datetime | None) -> None:
    with pytest.raises(InvalidValueError):
        Schedule(start=START, end=end, freeze=freeze)
