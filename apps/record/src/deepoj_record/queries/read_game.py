"""All submissions to a game as lines, for whoever builds its board.

Half a million of them are read in one go, so nothing here looks at a single one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.paging import Position

SIZE: Final = 10_000


@dataclass(frozen=True, slots=True)
class GameLines:
    lines: bytes
    count: int
    next: Position | None


class GameLog(Protocol):
    async def lines(
        self, game_id: GameId, account_id: AccountId | None, after: Position | None, size: int
    ) -> GameLines: ...


class ReadGame:
    def __init__(self, log: GameLog) -> None:
        self._log = log

    async def __call__(
        self, game_id: GameId, account_id: AccountId | None, after: Position | None
    ) -> GameLines:
        return await self._log.lines(game_id, account_id, after, SIZE)
