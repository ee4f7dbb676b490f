"""What arrives changes its sender's row and perhaps whose first place it is; each hears what they may see."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.game.game import Game
from deepoj_domain.game.notice import Notice, SeenBy, row_notice
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.scoring.board import Board, board_of
from deepoj_domain.game.scoring.fact import Fact
from deepoj_domain.game.scoring.new_facts import NewFacts, Rivals, Situation, add_facts, cell_of
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import Tally, score_participant
from deepoj_domain.game.scoring.testing import rejudged, sent
from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import ALICE, BOB, NOW, a_game, a_participant, uuid

CAROL: Final = AccountId(uuid(7))
MINUTE: Final = timedelta(minutes=1)
DURING, FREEZE, LATE = NOW + 60 * MINUTE, NOW + 240 * MINUTE, NOW + 290 * MINUTE
A, B = (QuestionId(uuid(number)) for number in (10, 11))
PROBLEMS: Final = tuple(GameProblem(label, each, Score.points(1)) for label, each in (("A", A), ("B", B)))
GAME: Final = replace(
    a_game(),
    plan=replace(a_game().plan, problems=PROBLEMS, schedule=replace(a_game().plan.schedule, freeze=FREEZE)),
)
PEOPLE: Final = tuple(a_participant(each) for each in (ALICE, BOB, CAROL))


def tallies(game: Game, people: Iterable[Participant], log: Sequence[Fact]) -> dict[AccountId, Tally]:
    return {
        who.account_id: score_participant(
            rules_of(game), who, [fact for fact in log if fact.account_id == who.account_id]
        )
        for who in people
        if not who.withdrawn
    }


def rivals(
    known: dict[AccountId, Tally], people: Sequence[Participant], senders: set[AccountId], *, is_frozen: bool
) -> dict[QuestionId, Rivals]:
    ranked = {who.account_id for who in people if who.kind.is_ranked} - senders
    found = {}
    for place, problem in enumerate(PROBLEMS):
        column = {who: known[who].side(is_frozen=is_frozen).cells[place] for who in ranked & known.keys()}
        solved = min((cell.solved_ms for cell in column.values() if cell.solved_ms is not None), default=None)
        pending = [cell.pending_ms for cell in column.values() if cell.pending_ms is not None]
        first = [who for who, cell in column.items() if solved is not None and cell.solved_ms == solved]
        found[problem.question_id] = Rivals(solved, min(pending, default=None), tuple(first))
    return found


def arrived(
    log: Sequence[Fact],
    new: Sequence[Fact],
    now: datetime = DURING,
    people: Sequence[Participant] = PEOPLE,
    game: Game = GAME,
) -> NewFacts:
    known, senders = tallies(game, people, log), {fact.account_id for fact in new}
    there = Situation(
        participants={who.account_id: who for who in people if who.account_id in senders},
        facts={cell_of(each): [fact for fact in log if cell_of(fact) == cell_of(each)] for each in new},
        sides={who: tally.cells for who, tally in known.items() if who in senders},
        rivals=rivals(known, people, senders, is_frozen=False),
        frozen_rivals=rivals(known, people, senders, is_frozen=True),
    )
    return add_facts(game, rules_of(game), there, new, now)


def told(new: NewFacts) -> list[Notice]:
    return [*(notice for _, notice in new.facts), *new.notices]


def test_a_fact_is_told_as_its_senders_row_and_what_is_known_already_is_not_told_again() -> None:
    wrong = sent("WA@10", ALICE, A)
    assert told(arrived([], wrong)) == [row_notice(ALICE, SeenBy.ALL)]
    assert arrived(wrong, [*wrong, *wrong]) == NewFacts([], [], [])


def test_who_loses_a_first_place_hears_of_it_and_so_does_who_gets_it() -> None:
    log = [*sent("AC@20", BOB, A), *sent("AC@30", CAROL, A)]
    earlier = sent("AC@10", ALICE, A)
    assert told(arrived(log, earlier)) == [row_notice(ALICE, SeenBy.ALL), row_notice(BOB, SeenBy.ALL)]
    first = [*log, *earlier]
    taken_back = [rejudged(earlier[0], Verdict.WRONG_ANSWER, 40)]
    assert told(arrived(first, taken_back)) == [row_notice(ALICE, SeenBy.ALL), row_notice(BOB, SeenBy.ALL)]


def test_who_loses_a_first_place_hears_of_it_when_something_old_of_theirs_comes_again() -> None:
    log = sent("AC@20", BOB, A)
    assert told(arrived(log, [*sent("AC@10", ALICE, A), *log])) == [
        row_notice(ALICE, SeenBy.ALL),
        row_notice(BOB, SeenBy.ALL),
    ]


def test_an_earlier_submission_without_a_verdict_takes_the_first_place_until_it_is_judged() -> None:
    log = sent("AC@20", BOB, A)
    waiting = sent("?@10", ALICE, A)
    assert row_notice(BOB, SeenBy.ALL) in told(arrived(log, waiting))
    judged = sent("WA@10", ALICE, A)
    assert row_notice(BOB, SeenBy.ALL) in told(arrived([*log, *waiting], judged))


def test_a_verdict_from_the_freeze_on_is_for_its_sender_and_that_it_was_sent_for_all() -> None:
    waiting, judged = sent("?@250", ALICE, A), sent("AC@250", ALICE, A)
    assert told(arrived([], waiting, LATE)) == [row_notice(ALICE, SeenBy.ALL)]
    assert told(arrived(waiting, judged, LATE)) == [row_notice(ALICE, SeenBy.OWNER)]
    both = told(arrived([], [*waiting, *judged], LATE))
    assert both == [row_notice(ALICE, SeenBy.ALL), row_notice(ALICE, SeenBy.OWNER)]


def test_a_first_place_that_only_the_full_board_shows_moves_for_the_staff() -> None:
    log = [*sent("AC@260", BOB, A), *sent("?@250", ALICE, A)]
    judged = sent("AC@250", ALICE, A)
    assert told(arrived(log, judged, LATE)) == [row_notice(ALICE, SeenBy.OWNER)]
    withdrawn = [rejudged(judged[0], Verdict.WRONG_ANSWER, 280)]
    assert told(arrived([*log, *judged], withdrawn, LATE)) == [
        row_notice(ALICE, SeenBy.OWNER),
        row_notice(BOB, SeenBy.STAFF),
    ]


def test_who_is_hidden_takes_no_first_place_and_is_told_to_nobody_else() -> None:
    people = (replace(PEOPLE[0], kind=ParticipantKind.HIDDEN), *PEOPLE[1:])
    log = sent("AC@20", BOB, A)
    assert told(arrived(log, sent("AC@10", ALICE, A), people=people)) == [row_notice(ALICE, SeenBy.OWNER)]


def test_who_has_withdrawn_has_no_row_and_only_the_log_grows() -> None:
    people = (replace(PEOPLE[0], withdrawn=True), *PEOPLE[1:])
    new = arrived([], sent("AC@10", ALICE, A), people=people)
    assert not new.rows
    assert told(new) == [row_notice(ALICE, SeenBy.STAFF)]


WORDS: Final = st.builds(
    lambda verdict, minute: f"{verdict}@{minute}", st.sampled_from(["AC", "WA", "?"]), st.integers(1, 299)
)
FACTS: Final = st.builds(
    lambda word, who, question: sent(word, who, question)[0],
    WORDS,
    st.sampled_from([ALICE, BOB, CAROL]),
    st.sampled_from([A, B]),
)


def board(known: dict[AccountId, Tally], *, is_frozen: bool) -> Board:
    return board_of(("A", "B"), [tally.side(is_frozen=is_frozen) for tally in known.values()])


@given(log=st.lists(FACTS, max_size=8), new=st.lists(FACTS, min_size=1, max_size=4), is_frozen=st.booleans())
@settings(max_examples=100, deadline=None)
def test_all_hear_of_exactly_the_rows_that_look_otherwise_on_the_board_they_see(
    log: list[Fact], new: list[Fact], *, is_frozen: bool
) -> None:
    found = arrived(log, new, LATE if is_frozen else DURING)
    before, after = tallies(GAME, PEOPLE, log), tallies(GAME, PEOPLE, [*log, *new])
    assert {who.account_id: tally for who, tally in found.rows}.items() <= after.items()
    old, now = board(before, is_frozen=is_frozen), board(after, is_frozen=is_frozen)
    changed = set()
    for who in (ALICE, BOB, CAROL):
        was, is_ = old.row_of(who), now.row_of(who)
        assert was is not None
        assert is_ is not None
        if (was.row.cells, was.first_in) != (is_.row.cells, is_.first_in):
            changed.add(who)
    heard = [
        notice.account_id for notice in told(found) if notice.account_id and notice.seen_by is SeenBy.ALL
    ]
    assert changed <= set(heard)
    if is_frozen:
        assert sorted(heard) == sorted(changed), "each once, and nobody needlessly"
