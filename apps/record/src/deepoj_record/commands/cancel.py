"""PENDING, DISPATCHED, RUNNING → CANCELLED, by the owner or an admin."""

from __future__ import annotations

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, refused
from deepoj_domain.submission.visibility import Sight, sight_of
from deepoj_record.commands.moving import Mover
from deepoj_record.commands.ports import Clock, Step


class Cancel:
    def __init__(self, mover: Mover, clock: Clock) -> None:
        self._mover = mover
        self._clock = clock

    async def __call__(self, actor: Actor, submission_id: SubmissionId) -> SubmissionOutcome:
        now = self._clock()

        def stop(submission: Submission) -> SubmissionOutcome:
            if not _may_know(actor, submission):
                return refused(submission, SubmissionRefusal.NOT_FOUND)
            return cancel(submission, actor, now)

        outcomes = await self._mover(Step.CANCEL, {submission_id: stop}, now)
        return outcomes[submission_id]


def _may_know(actor: Actor, submission: Submission) -> bool:
    order = submission.order
    sight = sight_of(actor, owner=order.account_id, game_id=order.game_id, standing=submission.standing)
    return sight is not Sight.NOTHING
