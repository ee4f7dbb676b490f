"""Taking part."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from deepoj_domain.game.participant import ParticipantKind, sign_up
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_unknown
from deepoj_game.commands.ports import (
    Clock,
    CommandRefusal,
    Entrant,
    Games,
    Journal,
    OpenGame,
    Passwords,
    Throttle,
)
from deepoj_game.commands.rescore import entrant_write

_NAME_CHARACTERS = 100
# The same to those who must not know of a private game and where there is none.
_UNKNOWN: Final[Refused[StrEnum]] = Refused(
    CommandRefusal.NOT_FOUND, "or it is private, and you have neither its password nor an invitation"
)


class SignUp:
    def __init__(
        self, games: Games, passwords: Passwords, guesses: Throttle, journal: Journal, clock: Clock
    ) -> None:
        self._games = games
        self._passwords = passwords
        self._guesses = guesses
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, display_name: str, password: str, *, virtual: bool
    ) -> Entrant | Refused[StrEnum]:
        name = checked_name(display_name)
        matches = await self._matches(actor, game_id, password)
        if isinstance(matches, TooOften):
            self._journal.refused("sign_up", game_id, matches.reason)
            return matches
        async with self._games.open(game_id) as opened:
            if opened is None or opened.game.deleted:
                return _UNKNOWN
            known = await opened.entrant(actor.account_id)
            participant = known.participant if known else None
            fits = matches is not None and matches == opened.password_hash
            if not fits and why_unknown(opened.game, actor, participant):
                return _UNKNOWN
            now = self._clock()
            outcome = sign_up(
                opened.game,
                actor.account_id,
                participant,
                password_matches=fits,
                kind=ParticipantKind.VIRTUAL if virtual else ParticipantKind.OFFICIAL,
                now=now,
            )
            if isinstance(outcome, Refused):
                self._journal.refused("sign_up", game_id, outcome.reason)
                return _explained(outcome.reason, opened, password)
            entrant = Entrant(outcome, name)
            await opened.write(await entrant_write(opened, known, entrant, now))
        self._journal.changed("sign_up", game_id, actor.account_id)
        return entrant

    async def _matches(self, actor: Actor, game_id: GameId, password: str) -> str | TooOften | None:
        """Return the hash that the password fits. Checked before the game is held: it takes its time.

        A guess costs the same whether there is such a game or not.
        """
        if not password:
            return None
        stored = await self._games.password_hash(game_id)
        guess = (actor.account_id, game_id)
        if wait := self._guesses.take(guess):
            return TooOften(GameRefusal.TOO_MANY_GUESSES, retry_after=wait)
        if not await self._passwords.matches(password, stored):
            return None
        self._guesses.give_back(guess)
        return stored


def _explained(reason: StrEnum, opened: OpenGame, password: str) -> Refused[StrEnum]:
    if reason is not GameRefusal.ACCESS_DENIED or opened.password_hash is None:
        return Refused(reason)
    return Refused(CommandRefusal.WRONG_PASSWORD if password else CommandRefusal.PASSWORD_MISSING)


def checked_name(text: str) -> str:
    name = text.strip()
    if not 0 < len(name) <= _NAME_CHARACTERS or not name.isprintable():
        raise InvalidValueError(
            "display_name_malformed", f"a name has 1 to {_NAME_CHARACTERS} printable characters"
        )
    return name
