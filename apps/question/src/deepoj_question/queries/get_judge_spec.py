"""What a worker needs to judge one revision; also of a deleted question, for submissions that pinned it."""

from __future__ import annotations

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.revision import Judging
from deepoj_question.queries.ports import QueryRefusal, Questions


class GetJudgeSpec:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(self, revision: RevisionRef) -> Judging | Refused[QueryRefusal]:
        return await self._questions.judging(revision) or Refused(QueryRefusal.NOT_FOUND)
