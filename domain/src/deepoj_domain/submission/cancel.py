"""PENDING, DISPATCHED, RUNNING → CANCELLED, by the owner or an admin.

What was sent to a contest only an admin stops: a contestant who sees a mistake would dodge its penalty. That
holds after the end too, while the last submissions still wait for their verdicts.
"""

from datetime import datetime

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.events import SubmissionCancelled, facts_of
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running
from deepoj_domain.submission.submission import (
    Standing,
    Submission,
    SubmissionOutcome,
    SubmissionRefusal,
    refused,
)


def cancel(submission: Submission, by: Actor, now: datetime) -> SubmissionOutcome:
    if not _may_cancel(submission, by):
        return refused(submission, SubmissionRefusal.NOT_OWNER)
    if submission.order.game_id is not None and not by.is_admin:
        return refused(submission, SubmissionRefusal.IN_A_CONTEST)
    match submission.state:
        case Pending() | Dispatched() | Running():
            return cancelled(submission, by.account_id, now)
        case Finished() | Dead() | Cancelled():
            return refused(submission, SubmissionRefusal.ALREADY_FINISHED)


def _may_cancel(submission: Submission, by: Actor) -> bool:
    """A rejudge is the admins' work: its owner could spoil it by cancelling."""
    is_owner = by.account_id == submission.order.account_id
    return by.is_admin or (is_owner and submission.standing is not Standing.CANDIDATE)


def cancelled(submission: Submission, by: AccountId, now: datetime) -> Changed[Submission]:
    attempts = submission.last_attempt_closed(AttemptOutcome.CANCELLED, now)
    stopped = submission.moved(Cancelled(by, now), attempts)
    told = SubmissionCancelled(occurred_at=now, submission=facts_of(stopped), cancelled_by=by)
    return Changed(stopped, (told,))
