"""One question, by id or by slug; unpublished also as a problem of a game."""

from __future__ import annotations

from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import QuestionSlug
from deepoj_domain.question.visibility import Access, may
from deepoj_question.queries.ports import Games, QueryRefusal, Questions
from deepoj_question.queries.views import Detail, QuestionView


class Get:
    def __init__(self, questions: Questions, games: Games) -> None:
        self._questions = questions
        self._games = games

    async def __call__(
        self,
        actor: Actor | None,
        by: QuestionId | QuestionSlug,
        *,
        revision: int = 0,
        game_id: GameId | None = None,
    ) -> Detail | Refused[QueryRefusal]:
        newest = await self._questions.get(by, 0)
        if newest is None or not await self._may_read(actor, newest.question, game_id):
            return Refused(QueryRefusal.NOT_FOUND)
        if revision in {0, newest.question.revision}:
            return newest
        question = newest.question
        if not may(actor, Access.INSPECT, owner=question.owner, enabled=question.enabled):
            return Refused(QueryRefusal.NOT_ALLOWED, "an earlier revision")
        return await self._questions.get(question.id, revision) or Refused(QueryRefusal.NOT_FOUND)

    async def _may_read(self, actor: Actor | None, question: QuestionView, game_id: GameId | None) -> bool:
        if may(actor, Access.READ, owner=question.owner, enabled=question.enabled):
            return True
        # Whether a game shows its problems now, and to whom, is for the game to say.
        return game_id is not None and question.id in await self._games.problems(game_id, actor)
