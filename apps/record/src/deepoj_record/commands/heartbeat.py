"""Extend the lease of running attempts. A refusal tells the worker to stop and to write nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.lease import LeaseTerms
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_record.commands.moving import Mover
from deepoj_record.commands.ports import Clock, Step


@dataclass(frozen=True, slots=True)
class AttemptRef:
    submission_id: SubmissionId
    attempt_id: int


class Heartbeat:
    def __init__(self, mover: Mover, terms: LeaseTerms, clock: Clock) -> None:
        self._mover = mover
        self._terms = terms
        self._clock = clock

    async def __call__(self, worker: WorkerId, attempts: Sequence[AttemptRef]) -> list[SubmissionOutcome]:
        now = self._clock()

        def beat(attempt_id: int, submission: Submission) -> SubmissionOutcome:
            return heartbeat(submission, attempt_id, worker, self._terms, now)

        moves = {each.submission_id: partial(beat, each.attempt_id) for each in attempts}
        outcomes = await self._mover(Step.HEARTBEAT, moves, now)
        return [outcomes[each.submission_id] for each in attempts]
