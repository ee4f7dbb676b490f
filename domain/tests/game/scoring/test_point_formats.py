"""AtCoder, Codeforces, IOI and OI, one row of a table for each rule."""

import pytest

from deepoj_domain.game.scoring.atcoder import AtCoder
from deepoj_domain.game.scoring.clock import GameClock
from deepoj_domain.game.scoring.codeforces import Codeforces
from deepoj_domain.game.scoring.fact import heads
from deepoj_domain.game.scoring.ioi import Ioi
from deepoj_domain.game.scoring.oi import Oi
from deepoj_domain.game.scoring.policy import Cell, Policy
from deepoj_domain.game.scoring.testing import START_US, at, sent
from deepoj_domain.game.scoring.tries import tries_of
from deepoj_domain.kernel.score import Score

CLOCK = GameClock(start_us=START_US, end_us=at(300))
ATCODER = AtCoder(5)
CODEFORCES = Codeforces(250, Score.points(50), 30)


def cell(policy: Policy, script: str, points: int = 0) -> Cell:
    return policy.cell(tries_of(heads(sent(script)), CLOCK, frozenset()), Score.points(points))


@pytest.mark.parametrize(
    ("scripts", "score", "seconds"),
    [
        pytest.param(("", ""), 0, 0, id="nothing"),
        pytest.param(("AC@10:05.999", ""), 300, 605, id="whole seconds"),
        pytest.param(("AC@10", "AC@20"), 700, 1200, id="the last accepted, not the sum"),
        pytest.param(("AC@20", "WA@1 WA@2 AC@10"), 700, 1800, id="five minutes a wrong try, on top"),
        pytest.param(("AC@10", "WA@1 WA@2"), 300, 600, id="wrong tries on unsolved problems cost nothing"),
        pytest.param(("CE@1 SE@2 AC@10", ""), 300, 600, id="CE and SE do not count"),
        pytest.param(("AC@10 WA@20 AC@30", ""), 300, 600, id="after the first AC nothing counts"),
    ],
)
def test_atcoder(scripts: tuple[str, str], score: int, seconds: int) -> None:
    cells = [cell(ATCODER, script, points) for script, points in zip(scripts, (300, 400), strict=True)]
    total = ATCODER.total(cells, 0)
    assert (total.score, total.penalty_ms) == (Score.points(score), seconds * 1000)
    assert total.key == (-Score.points(score).micros, seconds, 0)


def test_an_adjustment_moves_atcoder_time() -> None:
    cells = [cell(ATCODER, "AC@10", 300)]
    assert ATCODER.total(cells, 2).penalty_ms == 12 * 60_000
    assert ATCODER.total(cells, -20).penalty_ms == 0


@pytest.mark.parametrize(
    ("script", "score"),
    [
        pytest.param("AC@0:59", "500", id="nothing is lost in the first minute"),
        pytest.param("AC@10", "480", id="two points a minute of 500"),
        pytest.param("WA@3 WA@4 AC@10", "380", id="50 for each wrong try"),
        pytest.param("CE@3 AC@10", "480", id="a compile error costs nothing"),
        pytest.param("AC@175", "150", id="exactly at the floor"),
        pytest.param("AC@290", "150", id="never below 30 % by time"),
        pytest.param("WA@1 WA@2 WA@3 WA@4 WA@5 WA@6 WA@7 WA@8 AC@9", "150", id="never below 30 % by tries"),
        pytest.param("WA@1 WA@2", "0", id="nothing for an unsolved problem"),
        pytest.param("AC@10 WA@20 AC@30", "480", id="the first accepted one counts"),
    ],
)
def test_codeforces(script: str, score: str) -> None:
    assert cell(CODEFORCES, script, 500).score == Score.points(score)


def test_codeforces_decays_as_the_options_say() -> None:
    steep = Codeforces(100, Score.points(10), 0)
    assert cell(steep, "WA@1 AC@40", 1000).score == Score.points(590)
    assert cell(steep, "AC@299", 1000).score == Score.points(0)


@pytest.mark.parametrize(
    ("script", "score", "solved"),
    [
        pytest.param("", 0, False, id="nothing"),
        pytest.param("WA@1/10+0 WA@2/0+20", 30, False, id="the best of each subtask, from different tries"),
        pytest.param("WA@1/10+20 WA@2/5+30", 40, False, id="a worse subtask takes nothing away"),
        pytest.param("AC@1/40+60 WA@2/0+0", 100, True, id="a later failure takes nothing away"),
        pytest.param("CE@1 SE@2 WA@3/7", 7, False, id="CE and SE are nothing"),
        pytest.param("?@1 WA@2/7", 7, False, id="what is undecided gives nothing yet"),
        pytest.param("WA@1/10+10+0 WA@2/0+0+30", 50, False, id="three subtasks"),
        pytest.param("AC@300/100", 0, False, id="at the end is too late"),
    ],
)
def test_ioi(script: str, score: int, *, solved: bool) -> None:
    scored = cell(Ioi(), script)
    assert (scored.score, scored.solved) == (Score.points(score), solved)
    assert Ioi().total([scored, scored], 0).key == (-2 * Score.points(score).micros, 0, 0)


@pytest.mark.parametrize(
    ("script", "score", "solved", "pending"),
    [
        pytest.param("", 0, False, 0, id="nothing"),
        pytest.param("WA@1/90 WA@2/40", 40, False, 0, id="the last counts, though worse"),
        pytest.param("WA@2/40 WA@1/90", 40, False, 0, id="last by time of submission"),
        pytest.param("AC@1/100 CE@2", 0, False, 0, id="a compile error replaces too"),
        pytest.param("AC@1/100 SE@2", 100, True, 0, id="our failure does not"),
        pytest.param("WA@1/40 ?@2", 40, False, 1, id="while the last is undecided the one before stands"),
        pytest.param("WA@1/40 AC@299:59.999/100 WA@300/0", 100, True, 0, id="last before the end"),
    ],
)
def test_oi(script: str, score: int, *, solved: bool, pending: int) -> None:
    scored = cell(Oi(), script)
    assert (scored.score, scored.solved, scored.pending) == (Score.points(score), solved, pending)


@pytest.mark.parametrize(
    ("script", "pending_ms"),
    [("?@1 WA@2/40", None), ("WA@1/40 ?@2 ?@3", 120_000), ("WA@1/40 ?@2 SE@3", 120_000)],
    ids=["replaced anyway", "the earlier of two", "a system error replaces nothing"],
)
def test_in_oi_only_what_follows_the_last_decided_one_can_still_be_first(
    script: str, pending_ms: int | None
) -> None:
    assert cell(Oi(), script).pending_ms == pending_ms


@pytest.mark.parametrize("policy", [Ioi(), Oi(), CODEFORCES], ids=["ioi", "oi", "codeforces"])
def test_points_alone_order_these_formats(policy: Policy) -> None:
    early, late = cell(policy, "AC@1/50", 0), cell(policy, "WA@1/0 AC@200/50", 0)
    assert policy.total([early], 0).key == policy.total([late], 0).key
