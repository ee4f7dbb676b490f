"""A result is official no longer: what record learnt since counts again, so the board is recomputed."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.decision import Recompute
from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import CommandRefusal, OpenGame, Ruling


class Reopen:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(self, actor: Actor, game_id: GameId, reason: str) -> Refused[StrEnum] | None:
        ruling = Ruling(by=actor.account_id, action="reopen", reason=reason)

        async def decide(opened: OpenGame, now: datetime) -> GameOutcome | Refused[CommandRefusal]:
            outcome = opened.game.reopen(now)
            if isinstance(outcome, Refused):
                return outcome
            begun = await opened.begin(Recompute(), ruling, now)
            return Refused(CommandRefusal.WORK_UNDER_WAY) if begun is None else outcome

        return await self._rulings(actor, game_id, ruling, decide)
