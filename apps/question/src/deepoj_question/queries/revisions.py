"""For the owner and the staff: which revisions there are, and all that is in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.revision import RevisionContent
from deepoj_domain.question.visibility import Access, may
from deepoj_question.queries.ports import QueryRefusal, Questions
from deepoj_question.queries.views import QuestionView, RevisionView


class ListRevisions:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(
        self, actor: Actor | None, question_id: QuestionId, *, with_changes: bool = False
    ) -> Sequence[RevisionView] | Refused[QueryRefusal]:
        found = await _inspected(self._questions, actor, question_id)
        if isinstance(found, Refused):
            return found
        return await self._questions.revisions(question_id, with_changes=with_changes)


@dataclass(frozen=True, slots=True)
class Inspected:
    question: QuestionView
    content: RevisionContent


class Inspect:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(
        self, actor: Actor | None, question_id: QuestionId, revision: int
    ) -> Inspected | Refused[QueryRefusal]:
        found = await _inspected(self._questions, actor, question_id)
        if isinstance(found, Refused):
            return found
        content = await self._questions.content(RevisionRef(question_id, revision or found.revision))
        return Refused(QueryRefusal.NOT_FOUND) if content is None else Inspected(found, content)


async def _inspected(
    questions: Questions, actor: Actor | None, question_id: QuestionId
) -> QuestionView | Refused[QueryRefusal]:
    found = await questions.find(question_id)
    if found is None or not may(actor, Access.READ, owner=found.owner, enabled=found.enabled):
        return Refused(QueryRefusal.NOT_FOUND)
    if not may(actor, Access.INSPECT, owner=found.owner, enabled=found.enabled):
        return Refused(QueryRefusal.NOT_ALLOWED, "revisions and test data")
    return found
