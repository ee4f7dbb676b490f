"""Who takes part in a game."""

from __future__ import annotations

from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit
from deepoj_game.queries.ports import GameReader
from deepoj_game.queries.views import EntrantView, QueryRefusal


class ListParticipants:
    """Hidden ones are for the staff."""

    def __init__(self, games: GameReader) -> None:
        self._games = games

    async def __call__(
        self, actor: Actor | None, game_id: GameId, page: PageRequest, search: str = ""
    ) -> Page[EntrantView] | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        return await self._games.entrants(game_id, page, search, with_hidden=found.viewer.is_staff)
