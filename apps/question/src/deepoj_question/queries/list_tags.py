"""The tags of what is published, and how often each occurs: the same for everybody."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_question.queries.ports import Questions
from deepoj_question.queries.views import TagCount


class ListTags:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(self) -> Sequence[TagCount]:
        return await self._questions.tags()
