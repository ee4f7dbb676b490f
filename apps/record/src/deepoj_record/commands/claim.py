"""PENDING, DISPATCHED → RUNNING: nothing may run before this says so (INV-3).

A claim that is repeated because its reply was lost is refused with `lease_still_valid`, also to the same
worker: answering it again would let two messages of one job run twice in one worker. Nothing is stranded.
The message stays pending with its consumer, and when the lease is over a reclaim takes one of the remaining
attempts.
"""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.submission.claim import claim
from deepoj_record.commands.grant_attempt import GrantAttempt, GrantOutcome
from deepoj_record.commands.ports import Step


class Claim:
    def __init__(self, grant: GrantAttempt) -> None:
        self._grant = grant

    async def __call__(self, worker: WorkerId, ids: Sequence[SubmissionId]) -> list[GrantOutcome]:
        return await self._grant(Step.CLAIM, claim, worker, ids)
