"""The times of a game: a later end, an interval that does not count, or counts after all."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.decision import Extend, RemoveInterval, RestoreInterval
from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.ports import OpenGame, Ruling


class ChangeTimes:
    def __init__(self, rulings: AdminRulings) -> None:
        self._rulings = rulings

    async def __call__(
        self, actor: Actor, game_id: GameId, change: Extend | RemoveInterval | RestoreInterval, reason: str
    ) -> Refused[StrEnum] | None:
        ruling = Ruling(by=actor.account_id, action=change.kind, reason=reason, details=change.details())

        async def decide(opened: OpenGame, now: datetime) -> GameOutcome:
            return change.decide(opened.game, now)

        return await self._rulings(actor, game_id, ruling, decide, change)
