"""RUNNING → PENDING after a back-off, or → DEAD: a worker reports that judging itself failed."""

from dataclasses import replace
from datetime import datetime

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.burial import died
from deepoj_domain.submission.events import QueueCause
from deepoj_domain.submission.fence import why_fenced_off
from deepoj_domain.submission.queueing import queued
from deepoj_domain.submission.retry import Failure, RetryPolicy, is_retryable
from deepoj_domain.submission.states import DeathCause, Pending
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused


def report_failure(
    submission: Submission,
    attempt_id: int,
    worker: WorkerId,
    failure: Failure,
    *,
    error: str,
    retry: RetryPolicy,
    now: datetime,
) -> SubmissionOutcome:
    if reason := why_fenced_off(submission, attempt_id, worker, now):
        return refused(submission, reason)
    attempts = submission.last_attempt_closed(AttemptOutcome.FAILED, now, failure)
    if not is_retryable(failure):
        return died(submission, attempts, DeathCause.POISON, f"{failure}: {error}", now)
    if not retry.allows_another(attempt_id):
        return died(submission, attempts, DeathCause.ATTEMPTS_EXHAUSTED, f"{failure}: {error}", now)
    waiting = replace(submission.moved(Pending(), attempts), message_due=now + retry.delay_after(attempt_id))
    return Changed(waiting, (queued(waiting, QueueCause.RETRY, now),))
