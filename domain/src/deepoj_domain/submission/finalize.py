"""RUNNING → FINISHED, fenced: the one way a verdict comes into being (INV-1, INV-5)."""

from datetime import datetime

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.events import SubmissionJudged, facts_of, outcome_of
from deepoj_domain.submission.fence import why_fenced_off
from deepoj_domain.submission.states import Finished
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused


def is_repeated(submission: Submission, attempt_id: int, worker: WorkerId, result: JudgeResult) -> bool:
    """Say whether this worker wrote this very result already, and only the answer was lost."""
    state = submission.state
    return (
        isinstance(state, Finished)
        and state.attempt_id == attempt_id == submission.attempt_id
        and state.result.verdict is result.verdict
        and submission.attempts[-1].worker == worker
    )


def finalize(
    submission: Submission,
    attempt_id: int,
    worker: WorkerId,
    result: JudgeResult,
    now: datetime,
    *,
    toolchain: str = "",
) -> SubmissionOutcome:
    if reason := why_fenced_off(submission, attempt_id, worker, now):
        return refused(submission, reason, attempt_id)
    attempts = submission.last_attempt_closed(AttemptOutcome.FINISHED, now, result.verdict, toolchain)
    finished = submission.moved(Finished(attempt_id, result, now), attempts)
    judged = SubmissionJudged(
        occurred_at=now,
        submission=facts_of(finished),
        attempt_id=attempt_id,
        outcome=outcome_of(result),
    )
    return Changed(finished, (judged,))
