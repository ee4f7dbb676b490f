"""PENDING, DISPATCHED, RUNNING → CANCELLED, by the owner or an admin."""

from datetime import datetime

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.events import SubmissionCancelled, facts_of
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused


def cancel(submission: Submission, by: Actor, now: datetime) -> SubmissionOutcome:
    if by.account_id != submission.order.account_id and not by.is_admin:
        return refused(submission, SubmissionRefusal.NOT_OWNER)
    match submission.state:
        case Pending() | Dispatched() | Running():
            return cancelled(submission, by.account_id, now)
        case Finished() | Dead() | Cancelled():
            return refused(submission, SubmissionRefusal.ALREADY_FINISHED)


def cancelled(submission: Submission, by: AccountId, now: datetime) -> Changed[Submission]:
    attempts = submission.last_attempt_closed(AttemptOutcome.CANCELLED, now)
    stopped = submission.moved(Cancelled(by, now), attempts)
    told = SubmissionCancelled(occurred_at=now, submission=facts_of(stopped), cancelled_by=by)
    return Changed(stopped, (told,))
