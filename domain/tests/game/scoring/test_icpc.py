"""The exact ICPC rules, one row of the table each."""

from datetime import timedelta

import pytest

from deepoj_domain.game.format import PenaltyRounding
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.fact import heads
from deepoj_domain.game.scoring.icpc import Icpc
from deepoj_domain.game.scoring.policy import Cell
from deepoj_domain.game.scoring.testing import START_US, at, sent
from deepoj_domain.game.scoring.tries import tries_of
from deepoj_domain.kernel.score import ZERO

MINUTE_MS = 60_000
CLOCK = GameClock(start_us=START_US, end_us=at(300))
ICPC = Icpc(20, PenaltyRounding.PER_SUBMISSION)
ON_THE_SUM = Icpc(20, PenaltyRounding.ON_THE_SUM)


def cell(script: str) -> Cell:
    return ICPC.cell(tries_of(heads(sent(script)), CLOCK, frozenset()), ZERO)


@pytest.mark.parametrize(
    ("script", "solved", "penalty", "rejected", "pending"),
    [
        pytest.param("", 0, 0, 0, 0, id="nothing sent"),
        pytest.param("AC@0", 1, 0, 0, 0, id="solved in the first minute"),
        pytest.param("AC@61:59.999", 1, 61, 0, 0, id="minutes are floored"),
        pytest.param("WA@10 TLE@20 AC@60", 1, 100, 2, 0, id="20 for each earlier rejection"),
        pytest.param("WA@10 MLE@11 OLE@12 RE@13 PE@14 AC@60", 1, 160, 5, 0, id="every other verdict rejects"),
        pytest.param("WA@10 WA@20", 0, 0, 2, 0, id="no penalty on an unsolved problem"),
        pytest.param("CE@10 SE@20 AC@60", 1, 60, 0, 0, id="CE and SE do not count"),
        pytest.param("AC@60 WA@61 AC@62 ?@63", 1, 60, 0, 0, id="what follows the first AC is ignored"),
        pytest.param("AC@60 WA@59", 1, 80, 1, 0, id="order is that of submission"),
        pytest.param("WA@10 ?@20", 0, 0, 1, 1, id="undecided is pending"),
        pytest.param("?@20 AC@60", 1, 60, 0, 1, id="undecided before the AC stays pending"),
        pytest.param("AC@299:59.999", 1, 299, 0, 0, id="the last millisecond counts"),
        pytest.param("AC@300", 0, 0, 0, 0, id="at the end is too late"),
        pytest.param("WA@10 AC@301", 0, 0, 1, 0, id="after the end is too late"),
    ],
)
def test_a_problem(script: str, solved: int, penalty: int, rejected: int, pending: int) -> None:
    scored = cell(script)
    total = ICPC.total([scored], 0)
    assert (total.solved, total.penalty_ms) == (solved, penalty * MINUTE_MS)
    assert (scored.rejected, scored.pending) == (rejected, pending)


@pytest.mark.parametrize(
    ("policy", "scripts", "penalty"),
    [
        pytest.param(ICPC, ("AC@10:40", "AC@20:40"), 30, id="each submission is floored"),
        pytest.param(ON_THE_SUM, ("AC@10:40", "AC@20:40"), 31, id="only the sum is floored"),
        pytest.param(ON_THE_SUM, ("AC@10:40", "WA@5 AC@20:40"), 51, id="the sum and the wrong tries"),
        pytest.param(Icpc(0), ("WA@5 AC@20:40",), 20, id="a penalty of nothing"),
        pytest.param(Icpc(5), ("WA@5 AC@20:40", "WA@1"), 25, id="a penalty of five minutes"),
    ],
)
def test_rounding_and_penalty_are_options(policy: Icpc, scripts: tuple[str, ...], penalty: int) -> None:
    assert policy.total([cell(script) for script in scripts], 0).penalty_ms == penalty * MINUTE_MS


@pytest.mark.parametrize(
    ("adjustment", "penalty"),
    [(15, 25), (-4, 6), (-10, 0), (-11, 0)],
    ids=["more", "less", "none", "never below"],
)
def test_an_adjustment_moves_the_penalty_but_never_below_zero(adjustment: int, penalty: int) -> None:
    assert ICPC.total([cell("AC@10")], adjustment).penalty_ms == penalty * MINUTE_MS


def test_order_is_by_solved_then_time_then_last_accepted_minute() -> None:
    best_first = [
        ("AC@200", "AC@250", "AC@290"),
        ("AC@30", "WA@3 AC@40"),
        ("AC@45", "AC@45"),
        ("AC@40", "AC@50"),
        ("AC@40", "AC@51"),
        ("AC@10", "WA@100"),
        ("AC@11", "?@12"),
        ("WA@1", "WA@2"),
    ]
    keys = [ICPC.total([cell(script) for script in scripts], 0).key for scripts in best_first]
    assert keys == sorted(keys)
    assert keys[1][1] == keys[2][1] == keys[3][1] == 90
    assert [key[2] for key in keys[1:4]] == [40, 45, 50]


def test_seconds_separate_nobody() -> None:
    totals = [
        ICPC.total([cell("AC@45:01"), cell("AC@45:59")], 0),
        ICPC.total([cell("AC@45"), cell("AC@45")], 0),
    ]
    assert totals[0].key == totals[1].key


def test_a_longer_game_takes_what_was_too_late() -> None:
    attempts = sent("AC@300")
    longer = GameClock(
        start_us=CLOCK.start_us, end_us=CLOCK.end_us + timedelta(minutes=1) // timedelta(microseconds=1)
    )
    assert tries_of(attempts, CLOCK, frozenset()) == []
    assert len(tries_of(attempts, longer, frozenset())) == 1
