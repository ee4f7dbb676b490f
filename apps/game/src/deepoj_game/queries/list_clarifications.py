"""What was asked, answered and broadcast in a game."""

from __future__ import annotations

from deepoj_domain.game.clarification import Clarification, shown_to
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit
from deepoj_game.queries.ports import GameReader
from deepoj_game.queries.views import QueryRefusal


class ListClarifications:
    def __init__(self, games: GameReader) -> None:
        self._games = games

    async def __call__(
        self, actor: Actor | None, game_id: GameId, page: PageRequest
    ) -> Page[Clarification] | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        account = None if actor is None else actor.account_id
        listed = await self._games.clarifications(
            game_id, page, visible_to=account, everything=found.viewer.is_staff
        )
        seen = (shown_to(each, found.viewer, account) for each in listed.items)
        return Page([each for each in seen if each is not None], listed.next)
