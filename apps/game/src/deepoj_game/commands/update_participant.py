"""What an admin decides about one participant: kind, name, penalty."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.participant import ParticipantKind, update
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, Ruling
from deepoj_game.commands.sign_up import checked_name

_WEEK = 7 * 24 * 60


class UpdateParticipant:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self,
        actor: Actor,
        game_id: GameId,
        account_id: AccountId,
        kind: ParticipantKind,
        penalty_adjustment_minutes: int,
        display_name: str,
    ) -> Entrant | Refused[StrEnum]:
        """An empty name keeps the one there is."""
        if abs(penalty_adjustment_minutes) > _WEEK:
            raise InvalidValueError("adjustment_out_of_range", "an adjustment is at most a week")
        name = checked_name(display_name) if display_name else ""
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            known = await opened.entrant(account_id)
            outcome = update(
                opened.game,
                known.participant if known else None,
                kind=kind,
                penalty_adjustment_minutes=penalty_adjustment_minutes,
                now=self._clock(),
            )
            if isinstance(outcome, Refused):
                return outcome
            entrant = Entrant(outcome.after, name or ("" if known is None else known.display_name))
            await opened.put_entrant(entrant, outcome.events)
            details = {
                "account_id": str(account_id), "kind": kind, "minutes": str(penalty_adjustment_minutes),
            }  # fmt: skip
            await opened.record(Ruling(by=actor.account_id, action="update_participant", details=details))
        self._journal.changed("update_participant", game_id, actor.account_id)
        return entrant
