"""What an admin decides about one participant: kind, name, penalty."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.game.participant import ParticipantKind, update
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, Ruling
from deepoj_game.commands.rescore import entrant_write
from deepoj_game.commands.sign_up import checked_name

_WEEK = 7 * 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ParticipantEdit:
    """None leaves as it is."""

    kind: ParticipantKind | None = None
    penalty_adjustment_minutes: int | None = None
    display_name: str | None = None

    def __post_init__(self) -> None:
        if abs(self.penalty_adjustment_minutes or 0) > _WEEK:
            raise InvalidValueError("adjustment_out_of_range", "an adjustment is at most a week")
        if self.display_name is not None:
            checked_name(self.display_name)

    def details(self) -> dict[str, str]:
        changed = {
            "kind": self.kind,
            "minutes": self.penalty_adjustment_minutes,
            "display_name": self.display_name,
        }
        return {name: str(value) for name, value in changed.items() if value is not None}


class UpdateParticipant:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, account_id: AccountId, edit: ParticipantEdit
    ) -> Entrant | Refused[StrEnum]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            known = await opened.entrant(account_id)
            now = self._clock()
            outcome = update(
                opened.game,
                known.participant if known else None,
                kind=edit.kind,
                penalty_adjustment_minutes=edit.penalty_adjustment_minutes,
                now=now,
            )
            if isinstance(outcome, Refused):
                return outcome
            name = "" if known is None else known.display_name
            entrant = Entrant(outcome, name if edit.display_name is None else edit.display_name.strip())
            details = {"account_id": str(account_id), **edit.details()}
            ruling = Ruling(by=actor.account_id, action="update_participant", details=details)
            await opened.write(await entrant_write(opened, known, entrant, now, ruling))
        self._journal.changed("update_participant", game_id, actor.account_id)
        return entrant
