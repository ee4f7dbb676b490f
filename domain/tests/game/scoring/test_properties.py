"""Whatever happens to a game, in whatever order: the board kept event by event is the recomputed one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from typing import Final, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepoj_domain.game.format import Format, FormatOptions, PenaltyRounding
from deepoj_domain.game.game import Game, GameOutcome
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Interval
from deepoj_domain.game.scoring.board import Board, board_for
from deepoj_domain.game.scoring.explain import explain_submissions
from deepoj_domain.game.scoring.fact import Fact, micros
from deepoj_domain.game.scoring.rules import rules_of
from deepoj_domain.game.scoring.tally import score_participant
from deepoj_domain.game.scoring.testing import Standings
from deepoj_domain.game.scoring.tries import Effect
from deepoj_domain.game.visibility import BoardView
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import NOW, a_game, a_participant, uuid

ACCOUNTS: Final = [AccountId(uuid(number)) for number in range(1, 5)]
QUESTIONS: Final = [QuestionId(uuid(number)) for number in (10, 11, 12)]
SEEDS: Final = st.integers(0, 2**32)
T = TypeVar("T")
MINUTE: Final = timedelta(minutes=1)
MINUTE_US: Final = 60_000_000
FORMATS: Final = list(Format)
# A busy machine may be slow to draw; that is no finding.
SOME: Final = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
VIEWS: Final = [
    (BoardView.ADMIN, False, None),
    (BoardView.PUBLIC, False, None),
    (BoardView.FROZEN, True, None),
    (BoardView.OWN, True, ACCOUNTS[0]),
]


@dataclass(frozen=True)
class Ruling:
    """A decision of the organisers. One that the game refuses changes nothing."""

    decide: Callable[[Game], GameOutcome]


@dataclass(frozen=True)
class Enrolment:
    participant: Participant


Happening = Fact | Ruling | Enrolment


def a_game_of(game_format: Format) -> Game:
    game = a_game(game_format)
    problems = tuple(
        GameProblem(label, question_id, Score.points(500))
        for label, question_id in zip("ABC", QUESTIONS, strict=True)
    )
    options = FormatOptions(rounding=PenaltyRounding.ON_THE_SUM)
    return replace(game, plan=replace(game.plan, problems=problems, options=options))


@st.composite
def chains(draw: st.DrawFn, submission: int) -> list[Fact]:
    """One submission: sent, perhaps judged, perhaps rejudged, perhaps cancelled."""
    minute = submission * 11
    origin = SubmissionId(uuid(1000 + submission))
    sent = Fact(
        submission_id=origin,
        origin_id=origin,
        account_id=ACCOUNTS[submission % len(ACCOUNTS)],
        question_id=QUESTIONS[submission % len(QUESTIONS)],
        submitted_us=micros(NOW) + minute * MINUTE_US,
        known_us=micros(NOW) + minute * MINUTE_US,
    )
    judgings = draw(st.lists(st.sampled_from([*Verdict, None]), max_size=3))
    later = [
        replace(
            sent,
            submission_id=SubmissionId(uuid(10_000 + submission * 100 + number)),
            known_us=sent.known_us + (number + 1) * MINUTE_US,
            verdict=verdict,
            score=Score.points(50 if verdict is Verdict.ACCEPTED else 10),
            groups=(GroupScore(f"subtask {number % 2}", Score.points(20 * number)),),
        )
        for number, verdict in enumerate(judgings)
    ]
    gone = replace(sent, known_us=sent.known_us + 9 * MINUTE_US, cancelled=True)
    return [sent, *later, *draw(st.sampled_from([[], [], [], [gone]]))]


def rulings() -> st.SearchStrategy[Happening]:
    minutes = st.integers(0, 290)
    submissions = st.integers(0, 30).map(lambda number: SubmissionId(uuid(1000 + number)))
    return st.one_of(
        minutes.map(lambda by: Ruling(lambda game: game.extend(by * MINUTE, NOW))),
        minutes.map(lambda since: Ruling(lambda game: game.remove_interval(a_gap(since), NOW))),
        minutes.map(lambda late: Ruling(lambda game: game.finalize([], NOW + (300 + late) * MINUTE))),
        submissions.map(lambda origin: Ruling(lambda game: game.ignore(origin, NOW))),
        submissions.map(lambda origin: Ruling(lambda game: game.count_again(origin, NOW))),
    )


def a_gap(since: int) -> Interval:
    return Interval(NOW + since * MINUTE, NOW + (since + 7) * MINUTE)


def enrolments() -> st.SearchStrategy[Happening]:
    return st.builds(
        lambda account_id, kind, minutes, withdrawn: Enrolment(
            replace(
                a_participant(account_id),
                kind=kind,
                virtual_start=NOW + 100 * MINUTE if kind is ParticipantKind.VIRTUAL else None,
                penalty_adjustment_minutes=minutes,
                withdrawn=withdrawn,
            )
        ),
        st.sampled_from(ACCOUNTS),
        st.sampled_from(ParticipantKind),
        st.integers(-30, 30),
        st.sampled_from([False, False, False, True]),
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Happening]:
    submissions = draw(st.sets(st.integers(0, 30), min_size=4, max_size=10))
    facts = [fact for submission in submissions for fact in draw(chains(submission))]
    others = draw(st.lists(st.one_of(rulings(), enrolments()), max_size=6))
    return shuffled([*facts, *others], draw(SEEDS))


def shuffled(happenings: Sequence[T], seed: int) -> list[T]:
    """Much faster to draw than a permutation."""
    order = list(happenings)
    Random(seed).shuffle(order)  # noqa: S311  an order of arrival, no secret
    return order


def live(game: Game, history: Sequence[Happening]) -> tuple[Standings, Game, dict[AccountId, Participant]]:
    standings = Standings(rules_of(game))
    people = {account_id: a_participant(account_id) for account_id in ACCOUNTS}
    for participant in people.values():
        standings.enter(participant)
    for happening in history:
        match happening:
            case Fact():
                standings.add(happening)
            case Enrolment(participant):
                people[participant.account_id] = participant
                standings.enter(participant)
            case Ruling(decide):
                outcome = decide(game)
                game = outcome if isinstance(outcome, Game) else game
                standings.govern(rules_of(game))
    return standings, game, people


def recomputed(
    game: Game, people: dict[AccountId, Participant], facts: Sequence[Fact], at_us: int | None = None
) -> list[Board]:
    rules = rules_of(game)
    tallies = [
        score_participant(rules, participant, [f for f in facts if f.account_id == account_id], at_us)
        for account_id, participant in people.items()
        if not participant.withdrawn
    ]
    return [board_for(rules, tallies, view, is_frozen=frozen, viewer=who) for view, frozen, who in VIEWS]


def boards(standings: Standings) -> list[Board]:
    return [standings.board(view, is_frozen=frozen, viewer=who) for view, frozen, who in VIEWS]


def facts_in(history: Sequence[Happening]) -> list[Fact]:
    return [happening for happening in history if isinstance(happening, Fact)]


@pytest.mark.parametrize("game_format", FORMATS)
@given(history=histories())
@SOME
def test_the_board_kept_event_by_event_is_the_recomputed_one(
    game_format: Format, history: list[Happening]
) -> None:
    standings, game, people = live(a_game_of(game_format), history)
    assert boards(standings) == recomputed(game, people, facts_in(history))


@pytest.mark.parametrize("game_format", FORMATS)
@given(history=histories(), seed=SEEDS)
@SOME
def test_order_of_arrival_duplicates_and_redelivery_change_nothing(
    game_format: Format, history: list[Happening], seed: int
) -> None:
    facts = facts_in(history)
    again = shuffled([*facts, *facts[::2]], seed)
    once, game, people = live(a_game_of(game_format), facts)
    twice, _, _ = live(a_game_of(game_format), again)
    assert boards(once) == boards(twice)
    assert recomputed(game, people, facts) == recomputed(game, people, again)


@pytest.mark.parametrize("game_format", FORMATS)
@given(history=histories(), minute=st.integers(0, 400))
@SOME
def test_a_board_of_the_past_never_changes_by_what_comes_later(
    game_format: Format, history: list[Happening], minute: int
) -> None:
    facts = facts_in(history)
    cut_us = micros(NOW) + minute * MINUTE_US
    known_then = [fact for fact in facts if fact.known_us <= cut_us]
    game = a_game_of(game_format)
    people = {account_id: a_participant(account_id) for account_id in ACCOUNTS}
    assert recomputed(game, people, facts, cut_us) == recomputed(game, people, known_then)


@pytest.mark.parametrize("game_format", FORMATS)
@given(history=histories(), is_frozen=st.booleans())
@SOME
def test_the_explanation_adds_up_to_the_cell(
    game_format: Format, history: list[Happening], *, is_frozen: bool
) -> None:
    game = a_game_of(game_format)
    rules = rules_of(game)
    for account_id in ACCOUNTS:
        facts = [fact for fact in facts_in(history) if fact.account_id == account_id]
        tally = score_participant(rules, a_participant(account_id), facts)
        explained = explain_submissions(rules, a_participant(account_id), facts, is_frozen=is_frozen)
        row = tally.frozen if is_frozen else tally.full
        for problem, cell in zip(rules.problems, row.cells, strict=True):
            effects = [one.effect for one in explained if one.label == problem.label]
            assert cell.pending == sum(effect in {Effect.PENDING, Effect.FROZEN} for effect in effects)
            if game_format not in {Format.IOI, Format.OI}:
                assert cell.solved == (Effect.ACCEPTED in effects)
                wrong = Effect.PENALTY if cell.solved else Effect.REJECTED
                assert cell.rejected == effects.count(wrong)
