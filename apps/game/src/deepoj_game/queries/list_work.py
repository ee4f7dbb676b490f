"""The work on a game, for its staff."""

from __future__ import annotations

from deepoj_domain.game.work import Work
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit_as_staff
from deepoj_game.queries.ports import GameReader, WorkReader
from deepoj_game.queries.views import QueryRefusal


class ListWork:
    def __init__(self, games: GameReader, works: WorkReader) -> None:
        self._games = games
        self._works = works

    async def __call__(
        self, actor: Actor | None, game_id: GameId, page: PageRequest
    ) -> Page[Work] | Refused[QueryRefusal]:
        found = await visit_as_staff(self._games, actor, game_id)
        return found if isinstance(found, Refused) else await self._works.list(game_id, page)
