"""Fixed examples of the aggregates, for the tests of this member and of those built on it."""

from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from deepoj_domain.game.format import Format
from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.participant import Participant, ParticipantKind
from deepoj_domain.game.problem import GameProblem
from deepoj_domain.game.schedule import Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.checker import TokenChecker
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.listing import Level, Listing, question_slug, tag
from deepoj_domain.question.presentation import Presentation, Sample, Statement
from deepoj_domain.question.question import Question
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_domain.question.suite import Group, Suite
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome, Lease, LeaseTerms
from deepoj_domain.submission.retry import RetryPolicy
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_domain.submission.states import (
    Cancelled,
    Dead,
    DeathCause,
    Dispatched,
    Finished,
    Pending,
    Running,
    State,
    Status,
)
from deepoj_domain.submission.submission import Order, Submission


def uuid(number: int) -> UUID:
    """A UUIDv7 in form, counted instead of random."""
    return UUID(f"01980000-0000-7000-8000-{number:012x}")


NOW: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
ALICE: Final = AccountId(uuid(1))
BOB: Final = AccountId(uuid(2))
ROOT: Final = Actor(AccountId(uuid(3)), Role.ADMIN)
QUESTION: Final = QuestionId(uuid(10))
GAME: Final = GameId(uuid(20))
SUBMISSION: Final = SubmissionId(uuid(30))
WORKER: Final = WorkerId("judge-1")
OTHER_WORKER: Final = WorkerId("judge-2")
TERMS: Final = LeaseTerms()
RETRY: Final = RetryPolicy()
PATIENCE: Final = timedelta(minutes=5)
ROUTE: Final = Route(Lane.HEAVY, Band.NORMAL)


def an_order() -> Order:
    return Order(
        account_id=ALICE,
        game_id=None,
        revision=RevisionRef(QUESTION, 1),
        language=language_slug("cpp17"),
        code=hash_of(b"int main() {}"),
        submitted_at=NOW,
    )


def a_result(verdict: Verdict = Verdict.ACCEPTED) -> JudgeResult:
    if verdict is Verdict.COMPILE_ERROR:
        return JudgeResult.compile_error("main.cpp:1: error")
    usage = Usage(time_ms=12, memory_kib=2048)
    accepted = verdict is Verdict.ACCEPTED
    case = CaseResult.accepted("1", usage) if accepted else CaseResult.failed("1", verdict, usage)
    score = Score.points(100) if accepted else ZERO
    return JudgeResult(verdict, (GroupScore("all", score),), usage, (case,))


def a_submission(status: Status = Status.PENDING, *, leased_until: datetime | None = None) -> Submission:
    """In any state; with one attempt by WORKER once it has run, and leased from NOW unless told otherwise."""
    started = status not in {Status.PENDING, Status.DISPATCHED}
    return Submission(
        id=SUBMISSION,
        origin_id=SUBMISSION,
        order=an_order(),
        route=ROUTE,
        state=_a_state(status, leased_until or NOW + TERMS.duration),
        message_due=NOW,
        attempts=(_an_attempt(status),) if started else (),
    )


def _a_state(status: Status, leased_until: datetime) -> State:
    match status:
        case Status.PENDING:
            return Pending()
        case Status.DISPATCHED:
            return Dispatched()
        case Status.RUNNING:
            return Running(Lease(WORKER, leased_until))
        case Status.FINISHED:
            return Finished(1, a_result(), NOW)
        case Status.DEAD:
            return Dead(DeathCause.POISON, "unknown_language: cobol", NOW)
        case Status.CANCELLED:
            return Cancelled(ALICE, NOW)


def _an_attempt(status: Status) -> Attempt:
    attempt = Attempt(1, WORKER, NOW)
    match status:
        case Status.PENDING | Status.DISPATCHED | Status.RUNNING:
            return attempt
        case Status.FINISHED:
            return attempt.closed(AttemptOutcome.FINISHED, NOW, Verdict.ACCEPTED)
        case Status.DEAD:
            return attempt.closed(AttemptOutcome.FAILED, NOW, "unknown_language")
        case Status.CANCELLED:
            return attempt.closed(AttemptOutcome.CANCELLED, NOW)


def a_suite() -> Suite:
    cases = tuple(Case(name, "all", hash_of(b"in"), hash_of(b"out")) for name in ("1", "2", "3"))
    return Suite(groups=(Group("all", Score.points(100)),), cases=cases)


def some_judging() -> Judging:
    allowance = Allowance(time_ms=1000, memory_bytes=256 << 20, output_bytes=1 << 20)
    return Judging(allowance=allowance, suite=a_suite(), checker=TokenChecker())


def some_content(title: str = "A plus B") -> RevisionContent:
    statement = Statement("en", title, "Add two numbers: $a + b$.")
    presentation = Presentation(statements=(statement,), samples=(Sample("1 2\n", "3\n"),))
    return RevisionContent(presentation=presentation, judging=some_judging())


def a_listing(slug: str = "a-plus-b") -> Listing:
    return Listing(slug=question_slug(slug), level=Level.EASY, tags=frozenset({tag("math")}))


def a_question(title: str = "A plus B", owner: AccountId = BOB) -> Question:
    return Question.create(QUESTION, owner, a_listing(), some_content(title), NOW).after


def a_plan(game_format: Format = Format.ICPC, sign_up: SignUpRules | None = None) -> GamePlan:
    """Five hours from NOW, frozen for the last one."""
    return GamePlan(
        title="Regional",
        format=game_format,
        schedule=Schedule(start=NOW, freeze=NOW + timedelta(hours=4), end=NOW + timedelta(hours=5)),
        problems=(GameProblem("A", QUESTION, Score.points(100)),),
        sign_up=sign_up or SignUpRules(),
    )


def a_game(game_format: Format = Format.ICPC, sign_up: SignUpRules | None = None) -> Game:
    return Game(id=GAME, owner=BOB, plan=a_plan(game_format, sign_up))


def a_participant(account_id: AccountId = ALICE) -> Participant:
    return Participant(game_id=GAME, account_id=account_id, kind=ParticipantKind.OFFICIAL, signed_up_at=NOW)
