"""The board is shown in full again."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import OpenGame, Ruling


class Unfreeze:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(self, actor: Actor, game_id: GameId) -> Refused[StrEnum] | None:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return opened.game.unfreeze(now)

        return await self._rulings(actor, game_id, Ruling(by=actor.account_id, action="unfreeze"), decide)
