"""RUNNING → RUNNING under a new attempt, only when the lease has expired; or DEAD when none is left."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.claim import reclaim
from deepoj_record.commands.grant_attempt import GrantAttempt, GrantOutcome
from deepoj_record.commands.ports import Step


class Reclaim:
    def __init__(self, grant: GrantAttempt) -> None:
        self._grant = grant

    async def __call__(self, worker: WorkerId, ids: Sequence[SubmissionId]) -> list[GrantOutcome]:
        return await self._grant(Step.RECLAIM, reclaim, worker, ids)
