"""Publish or hide a question."""

from __future__ import annotations

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.role import Actor
from deepoj_question.commands.optimistic_update import Changing, Outcome
from deepoj_question.commands.ports import Clock


class SetEnabled:
    def __init__(self, changing: Changing, clock: Clock) -> None:
        self._changing = changing
        self._clock = clock

    async def __call__(self, actor: Actor, question_id: QuestionId, *, enabled: bool) -> Outcome:
        now = self._clock()
        return await self._changing(
            actor,
            question_id,
            lambda question: question.publish(now) if enabled else question.hide(now),
        )
