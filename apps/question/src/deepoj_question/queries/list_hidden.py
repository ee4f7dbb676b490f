"""The questions that only their owner and the staff may read, for services that count and list over all."""

from __future__ import annotations

from collections.abc import Mapping

from deepoj_domain.kernel.ids import AccountId, QuestionId
from deepoj_question.queries.ports import Questions


class ListHidden:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(self) -> Mapping[QuestionId, AccountId]:
        """Return them with their owners."""
        return await self._questions.hidden()
