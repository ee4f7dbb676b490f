"""Extend the lease of running attempts. A refusal tells the worker to stop and to write nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.attempt import LeaseTerms
from deepoj_domain.submission.heartbeat import heartbeat
from deepoj_domain.submission.submission import Submission, SubmissionOutcome
from deepoj_record.commands.ports import Clock, Step
from deepoj_record.commands.transition import Transition


@dataclass(frozen=True, slots=True)
class AttemptRef:
    submission_id: SubmissionId
    attempt_id: int


class Heartbeat:
    def __init__(self, transition: Transition, terms: LeaseTerms, clock: Clock) -> None:
        self._transition = transition
        self._terms = terms
        self._clock = clock

    async def __call__(self, worker: WorkerId, attempts: Sequence[AttemptRef]) -> list[SubmissionOutcome]:
        now = self._clock()

        def beat(attempt_id: int, submission: Submission) -> SubmissionOutcome:
            return heartbeat(submission, attempt_id, worker, self._terms, now)

        moves = {each.submission_id: partial(beat, each.attempt_id) for each in attempts}
        outcomes = await self._transition(Step.HEARTBEAT, moves, now)
        return [outcomes[each.submission_id] for each in attempts]
