"""One piece of work on a game, for its staff."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from deepoj_domain.game.work import Work
from deepoj_domain.kernel.ids import GameId, WorkId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit_as_staff
from deepoj_game.queries.ports import GameReader, WorkReader
from deepoj_game.queries.views import QueryRefusal

_LOOK_AGAIN: Final = 0.2


class GetWork:
    def __init__(self, games: GameReader, works: WorkReader) -> None:
        self._games = games
        self._works = works

    async def __call__(
        self, actor: Actor | None, game_id: GameId, work_id: WorkId
    ) -> Work | Refused[QueryRefusal]:
        found = await visit_as_staff(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        return await self._works.work(game_id, work_id) or Refused(QueryRefusal.NOT_FOUND)

    async def follow(self, game_id: GameId, work_id: WorkId) -> AsyncGenerator[Work, None]:
        """Give it as it is, then whenever it has come further, until it is over."""
        last = None
        while (work := await self._works.work(game_id, work_id)) is not None:
            if work != last:
                yield work
            if work.outcome is not None:
                return
            last = work
            await asyncio.sleep(_LOOK_AGAIN)
