"""What changed between two boards and why; and what a rejudge would change."""

from collections.abc import Mapping
from dataclasses import replace

from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.scoring.board import Board, board_for
from deepoj_domain.game.scoring.diff import diff
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.preview import Hypothesis, supposing
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import score_participant
from deepoj_domain.game.scoring.testing import at, sent
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, a_game, a_participant, uuid

CAROL = AccountId(uuid(4))
RULES = rules_of(a_game())


def board(logs: Mapping[AccountId, list[Fact]], *changed: Participant) -> Board:
    people = {person.account_id: person for person in changed}
    tallies = [
        score_participant(RULES, people.get(account_id, a_participant(account_id)), log)
        for account_id, log in logs.items()
    ]
    return board_for(RULES, tallies, BoardView.ADMIN, is_frozen=False)


def reasons(before: Board, after: Board) -> dict[AccountId, str]:
    return {change.account_id: change.reason for change in diff(before, after)}


LOGS = {ALICE: sent("WA@10 AC@50", ALICE), BOB: sent("AC@30", BOB), CAROL: sent("", CAROL)}


def test_equal_boards_differ_in_nothing() -> None:
    assert diff(board(LOGS), board(LOGS)) == ()


def test_a_change_says_who_and_why_and_names_those_it_moved() -> None:
    rejudged = {**LOGS, ALICE: sent("AC@10", ALICE)}
    assert reasons(board(LOGS), board(rejudged)) == {
        ALICE: "A: solved after 10 minutes, was solved after 50 minutes, 1 wrong try; now first to solve A",
        BOB: "no longer first to solve A",
    }


def test_who_is_only_pushed_down_is_told_that_others_moved() -> None:
    overtaken = {**LOGS, CAROL: sent("AC@40", CAROL)}
    changes = {change.account_id: change for change in diff(board(LOGS), board(overtaken))}
    assert changes[CAROL].reason == "A: solved after 40 minutes, was nothing"
    assert changes[ALICE].reason == "others moved"
    before, after = changes[ALICE].before, changes[ALICE].after
    assert before is not None
    assert after is not None
    assert (before.rank, after.rank) == (2, 3)


def test_joining_and_leaving_are_changes() -> None:
    smaller = {account_id: log for account_id, log in LOGS.items() if account_id != CAROL}
    assert reasons(board(smaller), board(LOGS)) == {CAROL: "new on the board"}
    assert reasons(board(LOGS), board(smaller)) == {CAROL: "no longer on the board"}


def test_another_kind_and_an_adjustment_are_named() -> None:
    guest = replace(a_participant(BOB), kind=ParticipantKind.UNOFFICIAL)
    fined = replace(a_participant(BOB), penalty_adjustment_minutes=5)
    assert reasons(board(LOGS), board(LOGS, guest))[BOB].startswith("now unofficial, was official")
    assert reasons(board(LOGS), board(LOGS, fined)) == {BOB: "another penalty or scoring rule"}


def test_a_preview_shows_what_a_rejudge_would_do_without_doing_it() -> None:
    wrong = LOGS[ALICE][0]
    outcomes = {wrong.origin_id: Hypothesis(submission_id=SubmissionId(uuid(500)), verdict=Verdict.ACCEPTED)}
    supposed = {account_id: supposing(log, outcomes, at(400)) for account_id, log in LOGS.items()}
    changes = {change.account_id: change for change in diff(board(LOGS), board(supposed))}
    assert set(changes) == {ALICE, BOB}
    after = changes[ALICE].after
    assert after is not None
    assert (after.rank, after.row.total.penalty_ms, after.first_in) == (1, 600_000, frozenset("A"))
    assert LOGS[ALICE] == sent("WA@10 AC@50", ALICE)


def test_a_candidate_without_a_verdict_changes_nothing() -> None:
    wrong = LOGS[ALICE][0]
    outcomes = {wrong.origin_id: Hypothesis(submission_id=SubmissionId(uuid(500)), verdict=None)}
    assert supposing(LOGS[ALICE], outcomes, at(400)) == LOGS[ALICE]


def test_a_preview_supposes_once_for_a_chain_of_several_facts() -> None:
    waiting, judged = *sent("?@10"), *sent("WA@10")
    outcomes = {judged.origin_id: Hypothesis(submission_id=SubmissionId(uuid(500)), verdict=Verdict.ACCEPTED)}
    assert len(supposing([waiting, judged], outcomes, at(400))) == 3
