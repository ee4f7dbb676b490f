"""PENDING, DISPATCHED, RUNNING → DEAD. Each death is also a dead letter an admin can replay."""

from datetime import datetime

from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import Attempt, AttemptOutcome
from deepoj_domain.submission.events import SubmissionDied, facts_of
from deepoj_domain.submission.states import Dead, DeathCause
from deepoj_domain.submission.submission import Submission

_ERROR_CHARACTERS = 1000


def exhausted(submission: Submission, now: datetime) -> Changed[Submission]:
    """Only called when no attempt is left, so there was at least one."""
    attempts = submission.last_attempt_closed(AttemptOutcome.WORKER_LOST, now)
    error = attempts[-1].reason or AttemptOutcome.WORKER_LOST
    return died(submission, attempts, DeathCause.ATTEMPTS_EXHAUSTED, error, now)


def died(
    submission: Submission, attempts: tuple[Attempt, ...], cause: DeathCause, error: str, now: datetime
) -> Changed[Submission]:
    last_error = error[:_ERROR_CHARACTERS]
    dead = submission.moved(Dead(cause, last_error, now), attempts)
    letter = SubmissionDied(
        occurred_at=now,
        submission=facts_of(dead),
        cause=cause,
        last_error=last_error,
        attempts=len(attempts),
    )
    return Changed(dead, (letter,))
