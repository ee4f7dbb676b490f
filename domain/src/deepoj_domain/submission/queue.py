"""The queue's side: what is owed to it, what its delivery changes, and putting back what it lost."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import Attempt, LeaseTerms
from deepoj_domain.submission.burial import exhausted
from deepoj_domain.submission.events import QueueCause, SubmissionQueued, facts_of
from deepoj_domain.submission.retry import RetryPolicy
from deepoj_domain.submission.route import Needs
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running, Status
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal, refused

DELIVERY: Final = (Status.PENDING, Status.DISPATCHED)
"""What it means to a job that its message is in the queue; one in any other state is left as it is."""


def queued(submission: Submission, cause: QueueCause, now: datetime) -> SubmissionQueued:
    return SubmissionQueued(
        occurred_at=now,
        submission=facts_of(submission),
        lane=submission.route.lane,
        band=submission.route.band,
        cause=cause,
        not_before=submission.message_due,
        needs=submission.route.needs,
    )


def sent_on(
    submission: Submission, attempts: tuple[Attempt, ...], needs: Needs, now: datetime
) -> SubmissionOutcome:
    """To the hosts that meet these needs. One that is there already is not sent again: it would go round."""
    if submission.route.needs == str(needs):
        return refused(submission, SubmissionRefusal.UNABLE_HOST)
    waiting = submission.moved(Pending(), attempts) if isinstance(submission.state, Running) else submission
    route = replace(submission.route, needs=str(needs))
    sent = replace(waiting, route=route, message_due=now)
    return Changed(sent, (queued(sent, QueueCause.UNABLE_HOST, now),))


def redispatch(
    submission: Submission, terms: LeaseTerms, retry: RetryPolicy, patience: timedelta, now: datetime
) -> SubmissionOutcome:
    """The watchdog's move. The state stays (a worker claims or reclaims); only a new message is owed.

    An expired lease with no attempt left needs no worker to be declared dead.
    """
    match submission.state:
        case Pending() | Dispatched():
            return _requeue_if_overdue(submission, QueueCause.MESSAGE_LOST, patience, now)
        case Running(lease):
            if lease.is_valid(now - terms.grace):
                return refused(submission, SubmissionRefusal.LEASE_STILL_VALID)
            if not retry.allows_another(submission.attempt_id, submission.handed_back):
                return exhausted(submission, now)
            return _requeue_if_overdue(submission, QueueCause.WORKER_LOST, patience, now)
        case Finished() | Dead() | Cancelled():
            return refused(submission, SubmissionRefusal.ALREADY_FINISHED)


def _requeue_if_overdue(
    submission: Submission, cause: QueueCause, patience: timedelta, now: datetime
) -> SubmissionOutcome:
    if now < submission.message_due + patience:
        return refused(submission, SubmissionRefusal.NOT_OVERDUE)
    owed = replace(submission, message_due=now)
    return Changed(owed, (queued(owed, cause, now),))
