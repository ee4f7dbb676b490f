"""A statement made ready to be shown, for whoever may read the question."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.presentation import Statement
from deepoj_question.queries.get import Get
from deepoj_question.queries.ports import Pages, QueryRefusal
from deepoj_question.queries.views import QuestionView


@dataclass(frozen=True, slots=True)
class StatementView:
    question: QuestionView
    statement: Statement
    locales: tuple[str, ...]
    html: str


class GetStatement:
    def __init__(self, get: Get, pages: Pages) -> None:
        self._get = get
        self._pages = pages

    async def __call__(
        self,
        actor: Actor | None,
        by: QuestionId | QuestionSlug,
        locale: str,
        *,
        revision: int = 0,
        game_id: GameId | None = None,
    ) -> StatementView | Refused[QueryRefusal]:
        found = await self._get(actor, by, revision=revision, game_id=game_id)
        if isinstance(found, Refused):
            return found
        presentation = found.presentation
        statement = presentation.statement(locale)
        html = await self._pages.html(statement, presentation)
        return StatementView(
            found.question, statement, tuple(each.locale for each in presentation.statements), html
        )
