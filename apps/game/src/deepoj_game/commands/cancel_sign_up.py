"""Not taking part any more: by one's own wish, or by an admin's decision."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.participant import withdraw
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin, why_unknown
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, Ruling
from deepoj_game.commands.rescore import entrant_write


class CancelSignUp:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, game_id: GameId, account_id: AccountId) -> Refused[StrEnum] | None:
        other = account_id != actor.account_id
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if other and (refusal := why_not_admin(opened.game, actor)):
                return refusal
            known = await opened.entrant(account_id)
            participant = known.participant if known else None
            if not other and (refusal := why_unknown(opened.game, actor, participant)):
                return refusal
            now = self._clock()
            outcome = withdraw(opened.game, participant, now, by_staff=other)
            if isinstance(outcome, Refused):
                return outcome
            gone = Entrant(outcome, "" if known is None else known.display_name)
            details = {"account_id": str(account_id)}
            ruling = Ruling(by=actor.account_id, action="cancel_sign_up", details=details) if other else None
            await opened.write(await entrant_write(opened, known, gone, now, ruling))
        self._journal.changed("cancel_sign_up", game_id, actor.account_id)
        return None
