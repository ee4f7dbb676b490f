"""RUNNING → PENDING, or → DEAD: a worker reports that judging itself failed, or hands the job back."""

from dataclasses import replace
from datetime import datetime

from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.burial import died
from deepoj_domain.submission.events import QueueCause
from deepoj_domain.submission.fence import why_fenced_off
from deepoj_domain.submission.queue import queued, sent_on
from deepoj_domain.submission.retry import HAND_BACKS, Failure, RetryPolicy, is_retryable
from deepoj_domain.submission.route import Needs
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
    needs: Needs | None = None,
) -> SubmissionOutcome:
    """`needs` are what the worker found that the job needs, when its host lacks some of it."""
    if reason := why_fenced_off(submission, attempt_id, worker, now):
        return refused(submission, reason, attempt_id)
    attempts = submission.last_attempt_closed(AttemptOutcome.FAILED, now, failure)
    if not is_retryable(failure):
        return died(submission, attempts, DeathCause.POISON, f"{failure}: {error}", now)
    waiting = submission.moved(Pending(), attempts)
    if not retry.allows_another(waiting.attempt_id, waiting.handed_back):
        return died(submission, attempts, DeathCause.ATTEMPTS_EXHAUSTED, f"{failure}: {error}", now)
    wanted = Needs.parse(submission.route.needs) | (needs or Needs())
    if str(wanted) != submission.route.needs:
        return sent_on(submission, attempts, wanted, now)
    due = now + retry.delay_after(failure, _times(waiting, failure))
    put_off = replace(waiting, message_due=due)
    return Changed(put_off, (queued(put_off, QueueCause.RETRY, now),))


def _times(submission: Submission, failure: Failure) -> int:
    """What was handed back does not make a failure wait longer, nor the other way round."""
    handed_back = submission.handed_back
    return handed_back if failure in HAND_BACKS else submission.attempt_id - handed_back
