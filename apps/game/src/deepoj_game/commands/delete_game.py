"""A game that nobody sees any more, by the version the admin has seen."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import CommandRefusal, OpenGame, Ruling


class DeleteGame:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(self, actor: Actor, game_id: GameId, version: int) -> Refused[StrEnum] | None:
        async def decide(opened: OpenGame, now: datetime) -> GameOutcome | Refused[CommandRefusal]:
            if opened.version != version:
                return Refused(CommandRefusal.VERSION_CONFLICT)
            return opened.game.delete(now)

        return await self._rulings(actor, game_id, Ruling(by=actor.account_id, action="delete"), decide)
