"""The submissions without a verdict that hold back the official result, for the staff."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit_as_staff
from deepoj_game.queries.ports import BoardReader, GameReader
from deepoj_game.queries.views import LoggedSubmission, QueryRefusal


class ListUndecided:
    def __init__(self, games: GameReader, boards: BoardReader) -> None:
        self._games = games
        self._boards = boards

    async def __call__(
        self, actor: Actor | None, game_id: GameId
    ) -> Sequence[LoggedSubmission] | Refused[QueryRefusal]:
        found = await visit_as_staff(self._games, actor, game_id)
        return found if isinstance(found, Refused) else await self._boards.undecided(found.game)
