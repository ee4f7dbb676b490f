"""RUNNING → PENDING after a back-off, or → DEAD: the judging itself failed (INV-9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.retry import Failure, RetryPolicies
from deepoj_domain.submission.route import Needs
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_record.commands.ports import Clock, Step
from deepoj_record.commands.transition import Transition


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    submission_id: SubmissionId
    attempt_id: int
    failure: Failure
    error: str
    needs: Needs | None = None


class ReportFailure:
    def __init__(self, transition: Transition, retries: RetryPolicies, clock: Clock) -> None:
        self._transition = transition
        self._retries = retries
        self._clock = clock

    async def __call__(self, worker: WorkerId, jobs: Sequence[FailedAttempt]) -> list[SubmissionOutcome]:
        now = self._clock()

        def fail(job: FailedAttempt, submission: Submission) -> SubmissionOutcome:
            retry = self._retries.for_lane(submission.route.lane)
            return report_failure(
                submission,
                job.attempt_id,
                worker,
                job.failure,
                error=job.error,
                retry=retry,
                now=now,
                needs=job.needs,
            )

        moves = {job.submission_id: partial(fail, job) for job in jobs}
        outcomes = await self._transition(Step.REPORT_FAILURE, moves, now)
        return [outcomes[job.submission_id] for job in jobs]
