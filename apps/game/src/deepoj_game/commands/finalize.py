"""The result becomes official."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import CommandRefusal, OpenGame, Ruling


class Finalize:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(self, actor: Actor, game_id: GameId) -> Refused[StrEnum] | None:
        return await self._rulings(actor, game_id, Ruling(by=actor.account_id, action="finalize"), _decide)


async def _decide(opened: OpenGame, now: datetime) -> GameOutcome | Refused[CommandRefusal]:
    outcome = opened.game.finalize(await opened.undecided(), now)
    if not isinstance(outcome, Refused) and await opened.under_way() is not None:
        return Refused(CommandRefusal.WORK_UNDER_WAY)
    return outcome
