"""Ask for log and board anew from the records: the admin's remedy when events were lost."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.decision import Recompute
from deepoj_domain.kernel.ids import AccountId, GameId, WorkId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, Ruling


class RecomputeBoard:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, account_id: AccountId | None
    ) -> WorkId | Refused[StrEnum]:
        """Whoever asks for the same while it is under way follows that."""
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            task, under_way = Recompute(account_id), await opened.under_way()
            if under_way is not None:
                work_id, other = under_way
                return work_id if other == task else Refused(CommandRefusal.WORK_UNDER_WAY)
            begun = await opened.begin(task, Ruling(by=actor.account_id, action="recompute"), self._clock())
            if begun is None:
                return Refused(CommandRefusal.WORK_UNDER_WAY)
        self._journal.changed("recompute", game_id, actor.account_id)
        return begun
