"""The games whose results are still kept back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_game.queries.ports import Clock, GameReader


@dataclass(frozen=True, slots=True)
class SealedGames:
    games: Sequence[GameId]
    running: Sequence[tuple[GameId, AccountId]]
    """Those on clocks of their own that have not run out."""


class ListSealedGames:
    """Asked by services that count over many games."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self) -> SealedGames:
        now = self._clock()
        return SealedGames(await self._games.sealed(now), await self._games.running(now))
