"""Edit a question: other texts, limits or tests make the next revision, another slug or tag does not."""

from __future__ import annotations

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.question import Question, QuestionOutcome
from deepoj_question.commands.draft import Draft
from deepoj_question.commands.optimistic_update import Changing, Outcome, refusal
from deepoj_question.commands.ports import Clock, CommandRefusal, Objects, Questions
from deepoj_question.commands.references import missing_object


class Update:
    def __init__(self, questions: Questions, changing: Changing, objects: Objects, clock: Clock) -> None:
        self._questions = questions
        self._changing = changing
        self._objects = objects
        self._clock = clock

    async def __call__(self, actor: Actor, question_id: QuestionId, version: int, draft: Draft) -> Outcome:
        """`version` is the one the editor saw."""
        seen = await self._questions.load(question_id)
        if seen is None:
            return Refused(CommandRefusal.NOT_FOUND)
        if refused := refusal(actor, seen):
            return refused
        content = draft.content(seen.current.content)
        if content is None:
            return Refused(CommandRefusal.JUDGING_MISSING)
        if missing := await missing_object(self._objects, content, seen.current.content):
            return missing
        now = self._clock()

        def edit(question: Question) -> QuestionOutcome:
            return question.edit(draft.listing, content, by=actor.account_id, version=version, now=now)

        return await self._changing(actor, question_id, edit)
