"""Who may have submissions judged again: the staff any, whoever manages a game those sent to it."""

from __future__ import annotations

from typing import Protocol

from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules, is_staff, may_rejudge


class Games(Protocol):
    async def rules(self, game_id: GameId, actor: Actor | None) -> GameRules | None:
        """Return what the actor may there, a few seconds old at most; None: no such game, or no answer."""
        ...


class MayRejudge:
    def __init__(self, games: Games) -> None:
        self._games = games

    async def __call__(self, actor: Actor, game_id: GameId | None) -> bool:
        """`game_id` is the game to which the selection is restricted."""
        rules = None if game_id is None or is_staff(actor) else await self._games.rules(game_id, actor)
        return may_rejudge(actor, rules)
