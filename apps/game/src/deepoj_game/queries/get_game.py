"""One game as the viewer may see it."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import shown, visit
from deepoj_game.queries.ports import Clock, GameReader, WorkReader
from deepoj_game.queries.views import GameView, QueryRefusal


class GetGame:
    def __init__(self, games: GameReader, works: WorkReader, clock: Clock) -> None:
        self._games = games
        self._works = works
        self._clock = clock

    async def __call__(self, actor: Actor | None, game_id: GameId) -> GameView | Refused[QueryRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        view = shown(found.stored, found.viewer, found.entrant, self._clock())
        counts = await self._games.counts([game_id])
        work = await self._works.under_way(game_id) if found.viewer.is_staff else None
        return replace(view, participants=counts.get(game_id, 0), work=work)
