"""PENDING, DISPATCHED, RUNNING → CANCELLED, by the owner or an admin; in a contest by an admin only."""

from __future__ import annotations

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.cancel import cancel
from deepoj_domain.submission.submission import Submission, SubmissionOutcome, SubmissionRefusal, refused
from deepoj_domain.submission.visibility import Sight, sight_of
from deepoj_record.commands.ports import Clock, Step
from deepoj_record.commands.transition import Transition


class Cancel:
    def __init__(self, transition: Transition, clock: Clock) -> None:
        self._transition = transition
        self._clock = clock

    async def __call__(self, actor: Actor, submission_id: SubmissionId) -> SubmissionOutcome:
        now = self._clock()

        def stop(submission: Submission) -> SubmissionOutcome:
            if not _may_know(actor, submission):
                return refused(submission, SubmissionRefusal.NOT_FOUND)
            return cancel(submission, actor, now)

        outcomes = await self._transition(Step.CANCEL, {submission_id: stop}, now)
        return outcomes[submission_id]


def _may_know(actor: Actor, submission: Submission) -> bool:
    order = submission.order
    sight = sight_of(actor, owner=order.account_id, game_id=order.game_id, standing=submission.standing)
    return sight is not Sight.NOTHING
