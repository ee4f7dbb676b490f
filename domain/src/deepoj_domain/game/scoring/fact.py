"""The log: what became known about a submission, and when. Facts are added, never changed or removed.

A rejudge adds a fact to the chain of the same origin. The fact that holds is the heaviest, whatever order
they arrived in and however often; cut at a moment, the log says exactly what was known then (ADR 0061).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.events import (
    JudgedOutcome,
    SubmissionCancelled,
    SubmissionEvent,
    SubmissionFacts,
    SubmissionJudged,
    SubmissionSubmitted,
    SubmissionSuperseded,
)
from deepoj_domain.submission.submission import Standing

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_OF_A_DAY = 86_400
_MICROS = 1_000_000


def micros(moment: datetime) -> int:
    """Whole microseconds since 1970: exact, and far cheaper to compare than datetimes."""
    since = moment - _EPOCH
    return (since.days * _SECONDS_OF_A_DAY + since.seconds) * _MICROS + since.microseconds


def moment(at_us: int) -> datetime:
    return _EPOCH + timedelta(microseconds=at_us)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    submission_id: SubmissionId
    origin_id: SubmissionId
    account_id: AccountId
    question_id: QuestionId
    submitted_us: int
    known_us: int
    """When this became true: the time of the event, never the time it arrived here."""
    verdict: Verdict | None = None
    """None: undecided."""
    score: Score = ZERO
    groups: tuple[GroupScore, ...] = ()
    cancelled: bool = False

    def __post_init__(self) -> None:
        if self.known_us < self.submitted_us:
            raise BrokenInvariantError("nothing is known of a submission before it was made")

    @property
    def is_decided(self) -> bool:
        return self.cancelled or self.verdict is not None

    @property
    def weight(self) -> tuple[int, bool, int]:
        """Later knowledge wins; at the same instant a verdict wins over none."""
        return (self.known_us, self.cancelled or self.verdict is not None, self.submission_id.int)

    def undecided(self) -> "Fact":
        """The same submission before anything was known of it but that it exists."""
        return replace(
            self,
            submission_id=self.origin_id,
            known_us=self.submitted_us,
            verdict=None,
            score=ZERO,
            groups=(),
            cancelled=False,
        )


def heads(facts: Iterable[Fact], cut_us: int | None = None) -> list[Fact]:
    """The fact that holds of each submission, in order of submission; as known at `cut_us`, if given."""
    held: dict[int, Fact] = {}
    for fact in facts if cut_us is None else _known_at(cut_us, facts):
        # The number of an id, not the id: a UUID hashes and compares in Python, and this runs half a million
        # times in a recompute.
        origin = fact.origin_id.int
        other = held.get(origin)
        if other is None or fact.weight > other.weight:
            held[origin] = fact
    return sorted(held.values(), key=_order) if len(held) > 1 else list(held.values())


def _known_at(cut_us: int, facts: Iterable[Fact]) -> Iterator[Fact]:
    """What was judged later was undecided then; what was sent later did not exist."""
    for fact in facts:
        if fact.known_us <= cut_us:
            yield fact
        elif fact.submitted_us <= cut_us:
            yield fact.undecided()


def _order(fact: Fact) -> tuple[int, int]:
    return (fact.submitted_us, fact.origin_id.int)


def fact_of(event: SubmissionEvent) -> Fact | None:
    """None when it changes no board.

    A dead submission adds nothing: it stays undecided, because a replay may still decide it with its
    original time. So does a candidate of a rejudge until it supersedes the head.
    """
    if event.submission.game_id is None or event.submission.standing is not Standing.HEAD:
        return None
    match event:
        case SubmissionSubmitted():
            return fact_about(event.submission, event.submission.submitted_at, None)
        case SubmissionJudged(outcome=outcome) | SubmissionSuperseded(outcome=outcome):
            return fact_about(event.submission, event.occurred_at, outcome)
        case SubmissionCancelled():
            return fact_about(event.submission, event.occurred_at, None, cancelled=True)
        case _:
            return None


def fact_about(
    submission: SubmissionFacts, known_at: datetime, outcome: JudgedOutcome | None, *, cancelled: bool = False
) -> Fact:
    """`known_at` never lies before the submission: the clocks of two processes may differ a little."""
    submitted_us = micros(submission.submitted_at)
    return Fact(
        submission_id=submission.id,
        origin_id=submission.origin_id,
        account_id=submission.account_id,
        question_id=submission.revision.question_id,
        submitted_us=submitted_us,
        known_us=max(submitted_us, micros(known_at)),
        verdict=outcome.verdict if outcome else None,
        score=outcome.score if outcome else ZERO,
        groups=outcome.groups if outcome else (),
        cancelled=cancelled,
    )
