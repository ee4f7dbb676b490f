"""The catalogue, as far as this actor may see it."""

from __future__ import annotations

from deepoj_domain.kernel.paging import PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.visibility import is_staff
from deepoj_question.queries.ports import Questions, Search
from deepoj_question.queries.views import Catalogue


class List:
    def __init__(self, questions: Questions) -> None:
        self._questions = questions

    async def __call__(self, actor: Actor | None, search: Search, page: PageRequest) -> Catalogue:
        return await self._questions.list(
            search, page, everything=is_staff(actor), own=None if actor is None else actor.account_id
        )
