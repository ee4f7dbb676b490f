"""Not taking part any more: by one's own wish, or by an admin's decision."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.participant import withdraw
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, Ruling


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
            outcome = withdraw(opened.game, known.participant if known else None, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            name = "" if known is None else known.display_name
            await opened.put_entrant(Entrant(outcome.after, name), outcome.events)
            if other:
                details = {"account_id": str(account_id)}
                await opened.record(Ruling(by=actor.account_id, action="cancel_sign_up", details=details))
        self._journal.changed("cancel_sign_up", game_id, actor.account_id)
        return None
