"""An admin signs others up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from deepoj_domain.game.participant import enrol
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, Ruling
from deepoj_game.commands.rescore import entrant_write
from deepoj_game.commands.sign_up import checked_name

_MOST: Final = 1000
# So many while the game is held: others want their turn.
_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True)
class Newcomer:
    account_id: AccountId
    display_name: str

    def __post_init__(self) -> None:
        checked_name(self.display_name)


@dataclass(frozen=True, slots=True)
class Enrolment:
    account_id: AccountId
    refused: StrEnum | None = None
    """None: takes part now."""


class Enrol:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, newcomers: Sequence[Newcomer]
    ) -> list[Enrolment] | Refused[StrEnum]:
        if len(newcomers) > _MOST:
            raise InvalidValueError("newcomers_too_long", f"at most {_MOST} are enrolled at once")
        done: list[Enrolment] = []
        for start in range(0, max(1, len(newcomers)), _AT_ONCE):
            some = await self._enrol(actor, game_id, newcomers[start : start + _AT_ONCE])
            if isinstance(some, Refused):
                return some
            done += some
        self._journal.changed("enrol", game_id, actor.account_id)
        return done

    async def _enrol(
        self, actor: Actor, game_id: GameId, newcomers: Sequence[Newcomer]
    ) -> list[Enrolment] | Refused[StrEnum]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            now, done = self._clock(), list[Enrolment]()
            for each in newcomers:
                known = await opened.entrant(each.account_id)
                outcome = enrol(opened.game, each.account_id, known.participant if known else None, now)
                if isinstance(outcome, Refused):
                    done.append(Enrolment(each.account_id, outcome.reason))
                    continue
                ruling = Ruling(
                    by=actor.account_id, action="enrol", details={"account_id": str(each.account_id)}
                )
                entrant = Entrant(outcome, checked_name(each.display_name))
                await opened.write(await entrant_write(opened, known, entrant, now, ruling))
                done.append(Enrolment(each.account_id))
        return done
