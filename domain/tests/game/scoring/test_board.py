"""Ranks, first-to-solve, the freeze and the views, over whole boards."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.board import Board, board_for, board_of
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.policy import Total
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Row, score_participant
from deepoj_domain.game.scoring.testing import at, cancelled, rejudged, sent
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, QUESTION, a_game, a_participant, uuid

MINUTE = timedelta(minutes=1)
CAROL = AccountId(uuid(4))
QUESTION_B = QuestionId(uuid(11))
OFFICIAL, HIDDEN = ParticipantKind.OFFICIAL, ParticipantKind.HIDDEN
UNOFFICIAL, VIRTUAL = ParticipantKind.UNOFFICIAL, ParticipantKind.VIRTUAL
Scripts = Mapping[AccountId, str]


def a_two_problem_game() -> Game:
    """Five hours from NOW, frozen for the last one."""
    game = a_game()
    second = GameProblem("B", QUESTION_B, Score.points(100))
    return replace(game, plan=replace(game.plan, problems=(*game.plan.problems, second)))


GAME = a_two_problem_game()


def board(
    scripts: Mapping[AccountId, str | list[Fact]],
    view: BoardView = BoardView.ADMIN,
    *,
    game: Game = GAME,
    people: tuple[Participant, ...] = (),
    viewer: AccountId | None = None,
    is_frozen: bool = False,
    at_us: int | None = None,
) -> Board:
    """Each script is of problem A; facts may be of both."""
    rules = rules_of(game)
    known = {person.account_id: person for person in people}
    tallies = [
        score_participant(
            rules,
            known.get(account_id, a_participant(account_id)),
            sent(facts, account_id) if isinstance(facts, str) else facts,
            at_us,
        )
        for account_id, facts in scripts.items()
    ]
    return board_for(rules, tallies, view, is_frozen=is_frozen, viewer=viewer)


def ranks(shown: Board) -> dict[AccountId, int]:
    return {row.row.account_id: row.rank for row in shown.rows}


def firsts(shown: Board) -> list[AccountId]:
    return [row.row.account_id for row in shown.rows if "A" in row.first_in]


def test_equal_participants_share_a_rank_and_the_next_one_is_skipped() -> None:
    shown = board({ALICE: "AC@30:10", BOB: "AC@30:50", CAROL: "AC@31"})
    assert ranks(shown) == {ALICE: 1, BOB: 1, CAROL: 3}


def test_who_has_sent_nothing_is_on_the_board() -> None:
    assert ranks(board({ALICE: "AC@30", BOB: ""})) == {ALICE: 1, BOB: 2}


@pytest.mark.parametrize("kind", [UNOFFICIAL, HIDDEN, VIRTUAL])
def test_out_of_competition_takes_no_rank_and_stands_beside(kind: ParticipantKind) -> None:
    own_start = NOW if kind is VIRTUAL else None
    guest = replace(a_participant(BOB), kind=kind, virtual_start=own_start)
    shown = board({ALICE: "AC@30", BOB: "AC@40", CAROL: "AC@50"}, people=(guest,))
    assert ranks(shown) == {ALICE: 1, BOB: 0, CAROL: 2}
    assert [row.row.account_id for row in shown.rows] == [ALICE, BOB, CAROL]


@pytest.mark.parametrize(
    ("scripts", "first"),
    [
        pytest.param({ALICE: "AC@30:00.001", BOB: "AC@30:00.002"}, [ALICE], id="compared in milliseconds"),
        pytest.param({ALICE: "AC@30:00.002", BOB: "AC@30:00.002"}, [ALICE, BOB], id="the same millisecond"),
        pytest.param({ALICE: "AC@30", BOB: "?@29:59.999"}, [], id="withheld while an earlier is undecided"),
        pytest.param({ALICE: "AC@30", BOB: "?@30:00.001"}, [ALICE], id="a later one changes nothing"),
        pytest.param({ALICE: "AC@30", BOB: "?@30"}, [ALICE], id="at the same time it could only share"),
        pytest.param({ALICE: "?@29 AC@30", BOB: ""}, [], id="one's own earlier one, too"),
        pytest.param({ALICE: "AC@30", BOB: "AC@31 ?@32"}, [ALICE], id="who has solved it waits for nothing"),
        pytest.param({ALICE: "AC@30", BOB: "CE@20 WA@21"}, [ALICE], id="decided ones withhold nothing"),
        pytest.param({ALICE: "AC@300", BOB: "AC@299"}, [BOB], id="too late is never first"),
        pytest.param({ALICE: "WA@30", BOB: ""}, [], id="nobody solved it"),
    ],
)
def test_first_to_solve(scripts: Scripts, first: list[AccountId]) -> None:
    assert sorted(firsts(board(scripts))) == first


@pytest.mark.parametrize("kind", [UNOFFICIAL, HIDDEN])
def test_only_official_participants_can_be_first_or_withhold_it(kind: ParticipantKind) -> None:
    guest = replace(a_participant(BOB), kind=kind)
    for script in ("AC@10", "?@10"):
        assert firsts(board({ALICE: "AC@30", BOB: script}, people=(guest,))) == [ALICE]


def test_an_ignored_or_cancelled_submission_withholds_nothing() -> None:
    waiting = sent("?@10", BOB)
    ignoring = GAME.ignore(waiting[0].origin_id, NOW)
    assert isinstance(ignoring, Game)
    assert firsts(board({ALICE: "AC@30", BOB: waiting})) == []
    assert firsts(board({ALICE: "AC@30", BOB: waiting}, game=ignoring)) == [ALICE]
    assert firsts(board({ALICE: "AC@30", BOB: [cancelled(waiting[0], 11)]})) == [ALICE]


def test_a_rejudge_moves_time_penalty_and_first_to_solve() -> None:
    wrong, right = sent("WA@10 AC@50")
    log = [wrong, right]
    before = board({ALICE: log, BOB: "AC@30"})
    after = board({ALICE: [*log, rejudged(wrong, Verdict.ACCEPTED, 100)], BOB: "AC@30"})
    assert (ranks(before), firsts(before)) == ({BOB: 1, ALICE: 2}, [BOB])
    assert (ranks(after), firsts(after)) == ({ALICE: 1, BOB: 2}, [ALICE])
    row = after.row_of(ALICE)
    assert row is not None
    assert row.row.total.penalty_ms == 10 * 60_000


@pytest.mark.parametrize(
    ("script", "solved", "pending"),
    [
        pytest.param("AC@239:59.999", 1, 0, id="before the freeze"),
        pytest.param("AC@240", 0, 1, id="the boundary belongs to the freeze"),
        pytest.param("WA@240 CE@250 SE@260 AC@299", 0, 4, id="pending whatever the verdict"),
        pytest.param("AC@10 WA@250", 1, 0, id="after the first AC ignored as ever"),
        pytest.param("WA@10 WA@250", 0, 1, id="earlier verdicts stay"),
        pytest.param("AC@300", 0, 0, id="after the end nothing is pending"),
    ],
)
def test_a_frozen_board(script: str, solved: int, pending: int) -> None:
    shown = board({ALICE: script}, BoardView.PUBLIC, is_frozen=True).rows[0].row
    assert (shown.total.solved, shown.cells[0].pending) == (solved, pending)


def test_a_frozen_board_shows_a_rejudge_of_what_came_before_the_freeze() -> None:
    (early,) = sent("WA@10")
    shown = board(
        {ALICE: [early, rejudged(early, Verdict.ACCEPTED, 290)]}, is_frozen=True, view=BoardView.FROZEN
    )
    assert shown.rows[0].row.total.solved == 1


def test_an_extension_moves_freeze_and_end() -> None:
    extended = GAME.extend(timedelta(minutes=30), NOW + 10 * MINUTE)
    assert isinstance(extended, Game)
    log = {ALICE: "AC@269", BOB: "AC@329", CAROL: "AC@330"}
    full = board(log, game=extended)
    frozen = board(log, BoardView.FROZEN, game=extended, is_frozen=True)
    assert ranks(full) == {ALICE: 1, BOB: 2, CAROL: 3}
    assert [row.row.total.solved for row in full.rows] == [1, 1, 0]
    assert [row.row.total.solved for row in frozen.rows] == [1, 0, 0]


def test_the_views_show_what_they_should() -> None:
    log = {ALICE: "AC@250", BOB: "AC@100", CAROL: "AC@260"}
    people = (replace(a_participant(BOB), kind=HIDDEN),)
    admin = board(log, BoardView.ADMIN, people=people)
    public = board(log, BoardView.PUBLIC, people=people, is_frozen=True)
    own = board(log, BoardView.OWN, people=people, is_frozen=True, viewer=CAROL)
    assert ranks(admin) == {BOB: 0, ALICE: 1, CAROL: 2}
    assert ranks(public) == {ALICE: 1, CAROL: 1}
    assert ranks(own) == {CAROL: 1, ALICE: 2}
    assert firsts(own) == []


def test_a_hidden_participant_sees_their_own_row() -> None:
    people = (replace(a_participant(BOB), kind=HIDDEN),)
    own = board({ALICE: "", BOB: "AC@250"}, BoardView.OWN, people=people, is_frozen=True, viewer=BOB)
    assert ranks(own) == {BOB: 0, ALICE: 1}


def test_a_removed_interval_is_scored_as_its_first_minute() -> None:
    removed = GAME.remove_interval(Interval(NOW + 60 * MINUTE, NOW + 80 * MINUTE), NOW + 80 * MINUTE)
    assert isinstance(removed, Game)
    shown = board({ALICE: "AC@60:30", BOB: "AC@79", CAROL: "AC@90"}, game=removed)
    assert [row.row.total.penalty_ms // 60_000 for row in shown.rows] == [60, 60, 70]
    assert sorted(firsts(shown)) == [ALICE, BOB]


def test_a_virtual_run_is_scored_on_its_own_clock() -> None:
    later = NOW + 1000 * MINUTE
    runner = replace(a_participant(BOB), kind=VIRTUAL, signed_up_at=later, virtual_start=later)
    shown = board({ALICE: "AC@31", BOB: "AC@999 WA@1010 AC@1030 AC@1300"}, people=(runner,))
    row = shown.row_of(BOB)
    assert row is not None
    assert (row.rank, row.row.total.penalty_ms) == (0, 50 * 60_000)
    assert firsts(shown) == [ALICE]


def test_a_board_of_the_past_is_what_was_known_then() -> None:
    wrong, right = sent("WA@10 AC@50")
    log = [wrong, right, rejudged(wrong, Verdict.ACCEPTED, 100)]
    then = {minute: board({ALICE: log}, at_us=at(minute)).rows[0].row for minute in (9, 10, 20, 60, 100)}
    assert {minute: (row.total.solved, row.total.penalty_ms // 60_000) for minute, row in then.items()} == {
        9: (0, 0),
        10: (0, 0),
        20: (0, 0),
        60: (1, 70),
        100: (1, 10),
    }
    assert [then[minute].cells[0].pending for minute in then] == [0, 1, 0, 0, 0]


def test_what_becomes_known_after_finalizing_changes_nothing() -> None:
    finalized = GAME.finalize([], NOW + 400 * MINUTE)
    assert isinstance(finalized, Game)
    (wrong,) = sent("WA@10")
    for minute, solved in ((399, 1), (401, 0)):
        log = [wrong, rejudged(wrong, Verdict.ACCEPTED, minute)]
        for moment_us in (None, at(500)):
            shown = board({ALICE: log}, game=finalized, at_us=moment_us)
            assert shown.rows[0].row.total.solved == solved


def test_a_question_that_is_no_problem_of_the_game_scores_nothing() -> None:
    elsewhere = sent("AC@10", ALICE, QuestionId(uuid(99)))
    both = [*sent("AC@20", ALICE, QUESTION), *sent("AC@30", ALICE, QUESTION_B), *elsewhere]
    shown = board({ALICE: both}).rows[0]
    assert shown.row.total.solved == 2
    assert shown.first_in == {"A", "B"}


KEYS = st.tuples(*[st.integers(-(2**62), 2**62) | st.integers(-40, 40)] * 3)


@given(st.lists(st.tuples(KEYS, st.integers(1, 2**40)), unique=True, max_size=20))
def test_sort_keys_are_in_the_order_of_the_board(rows: list[tuple[tuple[int, int, int], int]]) -> None:
    board = board_of(
        (),
        [
            Row(AccountId(uuid(number)), ParticipantKind.OFFICIAL, Total(solved=0, key=key), ())
            for key, number in rows
        ],
    )
    keys = [row.sort_key for row in board.rows]
    assert keys == sorted(keys)
    assert len(set(keys)) == len({(row.row.total.key, row.row.account_id) for row in board.rows})
