"""RUNNING → FINISHED: the fenced write-back of a result (INV-1, INV-5).

Repeated after a lost reply it changes nothing and is answered as the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.finalize import finalize, is_repeated
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal, refused
from deepoj_record.commands.ports import Clock, Step
from deepoj_record.commands.transition import Transition


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    submission_id: SubmissionId
    attempt_id: int
    result: JudgeResult | None
    """None: what the worker sent is no result."""
    toolchain: str = ""


class Finalize:
    def __init__(self, transition: Transition, clock: Clock) -> None:
        self._transition = transition
        self._clock = clock

    async def __call__(self, worker: WorkerId, jobs: Sequence[FinishedAttempt]) -> list[SubmissionOutcome]:
        now = self._clock()
        repeated: dict[SubmissionId, SubmissionOutcome] = {}

        def finish(job: FinishedAttempt, submission: Submission) -> SubmissionOutcome:
            if job.result is None:
                return refused(submission, SubmissionRefusal.MALFORMED_RESULT)
            if is_repeated(submission, job.attempt_id, worker, job.result):
                repeated[submission.id] = Changed(submission)
            return finalize(submission, job.attempt_id, worker, job.result, now, toolchain=job.toolchain)

        moves = {job.submission_id: partial(finish, job) for job in jobs}
        outcomes = await self._transition(Step.FINALIZE, moves, now) | repeated
        return [outcomes[job.submission_id] for job in jobs]
