"""PENDING, DISPATCHED → RUNNING, and RUNNING → RUNNING after a lost worker.

Nothing may run before one of these succeeded (INV-3). The new `attempt_id` is the fencing token. When no
attempt is left both answer with a DEAD submission instead of a RUNNING one, so that retries stay bounded
whoever asks (INV-9).

A host that lacks what the job needs is granted nothing: the job goes on into the queue of hosts that have it.
"""

from datetime import datetime

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome, LeaseTerms
from deepoj_domain.submission.burial import exhausted
from deepoj_domain.submission.events import SubmissionStarted, facts_of
from deepoj_domain.submission.queue import sent_on
from deepoj_domain.submission.retry import RetryPolicy
from deepoj_domain.submission.route import Abilities, Needs
from deepoj_domain.submission.states import Cancelled, Dead, Dispatched, Finished, Pending, Running
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal, refused


def claim(
    submission: Submission,
    worker: WorkerId,
    terms: LeaseTerms,
    retry: RetryPolicy,
    now: datetime,
    abilities: Abilities | None = None,
) -> SubmissionOutcome:
    """`abilities` are None when the worker does not tell them."""
    match submission.state:
        case Pending() | Dispatched():
            return _start(submission, worker, terms, retry, now, abilities)
        case Running(lease) if lease.is_valid(now):
            return refused(submission, SubmissionRefusal.LEASE_STILL_VALID)
        case Running():
            return refused(submission, SubmissionRefusal.LEASE_EXPIRED)
        case Finished() | Dead() | Cancelled():
            return refused(submission, SubmissionRefusal.ALREADY_FINISHED)


def reclaim(
    submission: Submission,
    worker: WorkerId,
    terms: LeaseTerms,
    retry: RetryPolicy,
    now: datetime,
    abilities: Abilities | None = None,
) -> SubmissionOutcome:
    match submission.state:
        case Running(lease) if lease.is_valid(now):
            return refused(submission, SubmissionRefusal.LEASE_STILL_VALID)
        case Running():
            return _start(submission, worker, terms, retry, now, abilities)
        case Pending() | Dispatched():
            return refused(submission, SubmissionRefusal.NOT_IN_EXPECTED_STATE)
        case Finished() | Dead() | Cancelled():
            return refused(submission, SubmissionRefusal.ALREADY_FINISHED)


def _start(
    submission: Submission,
    worker: WorkerId,
    terms: LeaseTerms,
    retry: RetryPolicy,
    now: datetime,
    abilities: Abilities | None,
) -> SubmissionOutcome:
    if not retry.allows_another(submission.attempt_id, submission.handed_back):
        return exhausted(submission, now)
    earlier = submission.last_attempt_closed(AttemptOutcome.WORKER_LOST, now)
    needs = Needs.parse(submission.route.needs) | Needs.of(submission.order.language)
    if abilities is not None and not abilities.meet(needs):
        return sent_on(submission, earlier, needs, now)
    attempt = Attempt(submission.attempt_id + 1, worker, started_at=now)
    running = submission.moved(Running(terms.grant(worker, now)), (*earlier, attempt))
    started = SubmissionStarted(
        occurred_at=now, submission=facts_of(running), attempt_id=attempt.attempt_id, worker=worker
    )
    return Changed(running, (started,))
