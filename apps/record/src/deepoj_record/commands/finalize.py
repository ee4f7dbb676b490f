"""RUNNING → FINISHED: the fenced write-back of a result (INV-1, INV-5).

Repeated after a lost reply it is refused with `already_finished`, which a worker treats like a success.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused
from deepoj_record.commands.moving import Mover
from deepoj_record.commands.ports import Clock, Step


@dataclass(frozen=True, slots=True)
class FinishedAttempt:
    submission_id: SubmissionId
    attempt_id: int
    result: JudgeResult | None
    """None: what the worker sent is no result."""


class Finalize:
    def __init__(self, mover: Mover, clock: Clock) -> None:
        self._mover = mover
        self._clock = clock

    async def __call__(self, worker: WorkerId, jobs: Sequence[FinishedAttempt]) -> list[SubmissionOutcome]:
        now = self._clock()

        def finish(job: FinishedAttempt, submission: Submission) -> SubmissionOutcome:
            if job.result is None:
                return refused(submission, SubmissionRefusal.MALFORMED_RESULT)
            return finalize(submission, job.attempt_id, worker, job.result, now)

        moves = {job.submission_id: partial(finish, job) for job in jobs}
        outcomes = await self._mover(Step.FINALIZE, moves, now)
        return [outcomes[job.submission_id] for job in jobs]
