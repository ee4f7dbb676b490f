"""The games that the viewer may know of."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import viewer_of
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import shown
from deepoj_game.queries.ports import Clock, GameFilter, GameReader
from deepoj_game.queries.views import GameView, QueryRefusal


class ListGames:
    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(
        self,
        actor: Actor | None,
        search: str,
        phases: frozenset[Phase],
        page: PageRequest,
        *,
        mine: bool,
    ) -> Page[GameView] | Refused[QueryRefusal]:
        if mine and actor is None:
            return Refused(QueryRefusal.SIGN_IN_REQUIRED)
        now = self._clock()
        which = GameFilter(
            search=search,
            phases=phases,
            account_id=None if actor is None else actor.account_id,
            sees_all=actor is not None and actor.is_admin,
            mine=mine,
            now=now,
        )
        found = await self._games.list(which, page)
        views = [shown(each, viewer_of(each.game, actor, None), None, now) for each in found.items]
        counts = await self._games.counts([view.game.id for view in views])
        return Page([replace(view, participants=counts.get(view.game.id, 0)) for view in views], found.next)
