"""What happened to a submission, for everyone who is not record.

There is no event for PENDING → DISPATCHED: to people both are "waiting", and it would double the traffic.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from deepoj_domain.judgement.result import GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId, WorkerId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.states import DeathCause
from deepoj_domain.submission.submission import Standing, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionFacts:
    """What a consumer needs to place a submission, whatever happened to it."""

    id: SubmissionId
    origin_id: SubmissionId
    rejudge_of: SubmissionId | None
    standing: Standing
    account_id: AccountId
    game_id: GameId | None
    revision: RevisionRef
    language: LanguageSlug
    submitted_at: datetime


def facts_of(submission: Submission) -> SubmissionFacts:
    return SubmissionFacts(
        id=submission.id,
        origin_id=submission.origin_id,
        rejudge_of=submission.rejudge_of,
        standing=submission.standing,
        account_id=submission.order.account_id,
        game_id=submission.order.game_id,
        revision=submission.order.revision,
        language=submission.order.language,
        submitted_at=submission.order.submitted_at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionEvent(DomainEvent):
    submission: SubmissionFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSubmitted(SubmissionEvent):
    name: ClassVar[str] = "submission.submitted.v1"


class QueueCause(StrEnum):
    SUBMITTED = "submitted"
    RETRY = "retry"
    REJUDGE = "rejudge"
    MESSAGE_LOST = "message_lost"
    WORKER_LOST = "worker_lost"
    UNABLE_HOST = "unable_host"
    """To those that have what a host lacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionQueued(SubmissionEvent):
    """A job message is owed to the queue. Only an announcement: a duplicate or a lost one is harmless."""

    name: ClassVar[str] = "submission.queued.v1"

    lane: Lane
    band: Band
    cause: QueueCause
    not_before: datetime
    needs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionStarted(SubmissionEvent):
    name: ClassVar[str] = "submission.started.v1"

    attempt_id: int
    worker: WorkerId


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedOutcome:
    """A judge result without its cases: enough for every score and every list."""

    verdict: Verdict
    score: Score
    groups: tuple[GroupScore, ...]
    usage: Usage
    passed_cases: int
    total_cases: int


def outcome_of(result: JudgeResult) -> JudgedOutcome:
    return JudgedOutcome(
        verdict=result.verdict,
        score=result.score,
        groups=result.groups,
        usage=result.usage,
        passed_cases=result.passed_cases,
        total_cases=len(result.cases),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionJudged(SubmissionEvent):
    """Final for this submission id. A consumer that keeps scores counts it only when `standing` is head."""

    name: ClassVar[str] = "submission.judged.v1"

    attempt_id: int
    outcome: JudgedOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionDied(SubmissionEvent):
    """The dead letter: what an admin needs to decide on a replay."""

    name: ClassVar[str] = "submission.dead.v1"

    cause: DeathCause
    last_error: str
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionCancelled(SubmissionEvent):
    name: ClassVar[str] = "submission.cancelled.v1"

    cancelled_by: AccountId


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionSuperseded(SubmissionEvent):
    """`submission` is the new head of its chain and replaces `archived_id`.

    `outcome` is None when the new head is a replayed dead letter that is still to be judged.
    """

    name: ClassVar[str] = "submission.superseded.v1"

    archived_id: SubmissionId
    outcome: JudgedOutcome | None
