"""What record shows of its submissions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import AccountId, GameId, SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.routing import Route
from deepoj_domain.submission.states import (
    Cancelled,
    Dead,
    Dispatched,
    Finished,
    Pending,
    Running,
    Status,
)
from deepoj_domain.submission.submission import Standing, Submission


@dataclass(frozen=True, slots=True)
class Written:
    """A state of a submission as this process has just written it."""

    submission: Submission
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    id: SubmissionId
    origin_id: SubmissionId
    rejudge_of: SubmissionId | None
    standing: Standing
    account_id: AccountId
    game_id: GameId | None
    revision: RevisionRef
    language: LanguageSlug
    route: Route
    status: Status
    attempt_id: int
    result: JudgeResult | None
    """In a list without its cases and messages."""
    submitted_at: datetime
    finished_at: datetime | None
    source_bytes: int
    reason: str
    """Why it is DEAD or CANCELLED."""
    last_error: str
    lease_owner: str
    lease_until: datetime | None
    message_due: datetime
    version: int
    """Grows with every write of a new state."""

    @property
    def is_over(self) -> bool:
        return self.status in {Status.FINISHED, Status.DEAD, Status.CANCELLED}

    def outlined(self) -> SubmissionView:
        """For others: the verdict, but nothing the program or the judge said."""
        result = self.result and replace(self.result, cases=(), message="", log_prefix="")
        return replace(self, result=result, last_error="", lease_owner="")

    def undecided(self) -> SubmissionView:
        """For the owner while the game keeps its verdicts to itself."""
        return replace(self, result=None, last_error="", lease_owner="")

    def without_staff_notes(self) -> SubmissionView:
        """For the owner: not what the checker said, nor what went wrong on our side."""
        result = self.result
        if result is not None:
            result = replace(result, cases=tuple(replace(case, message="") for case in result.cases))
        return replace(self, result=result, last_error="", lease_owner="")


def view_of(written: Written, source_bytes: int) -> SubmissionView:
    """A row need not be read to know what was put into it."""
    submission, order = written.submission, written.submission.order
    view = SubmissionView(
        id=submission.id,
        origin_id=submission.origin_id,
        rejudge_of=submission.rejudge_of,
        standing=submission.standing,
        account_id=order.account_id,
        game_id=order.game_id,
        revision=order.revision,
        language=order.language,
        route=submission.route,
        status=submission.status,
        attempt_id=submission.attempt_id,
        result=None,
        submitted_at=order.submitted_at,
        finished_at=None,
        source_bytes=source_bytes,
        reason="",
        last_error="",
        lease_owner="",
        lease_until=None,
        message_due=submission.message_due,
        version=written.version,
    )
    match submission.state:
        case Pending() | Dispatched():
            return view
        case Running(lease):
            return replace(view, lease_owner=lease.owner, lease_until=lease.until)
        case Finished(_, result, at):
            return replace(view, result=result, finished_at=at)
        case Dead(cause, error, at):
            return replace(view, reason=cause, last_error=error, finished_at=at)
        case Cancelled(by, at):
            return replace(view, reason=cancelled_by(by, order.account_id), finished_at=at)


def cancelled_by(account_id: UUID, owner: UUID) -> str:
    return "cancelled_by_owner" if account_id == owner else "cancelled_by_staff"


@dataclass(frozen=True, slots=True)
class Detail:
    submission: SubmissionView
    attempts: tuple[Attempt, ...] = ()
    source: str | None = None
