"""Taking part."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.participant import ParticipantKind, sign_up
from deepoj_domain.game.refusal import GameRefusal, TooOften
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
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

_NAME_CHARACTERS = 100


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
                return Refused(CommandRefusal.NOT_FOUND)
            known = await opened.entrant(actor.account_id)
            outcome = sign_up(
                opened.game,
                actor.account_id,
                known.participant if known else None,
                password_matches=matches == opened.password_hash and matches is not None,
                kind=ParticipantKind.VIRTUAL if virtual else ParticipantKind.OFFICIAL,
                now=self._clock(),
            )
            if isinstance(outcome, Refused):
                self._journal.refused("sign_up", game_id, outcome.reason)
                return _explained(outcome.reason, opened, password)
            entrant = Entrant(outcome.after, name)
            await opened.put_entrant(entrant, outcome.events)
        self._journal.changed("sign_up", game_id, actor.account_id)
        return entrant

    async def _matches(self, actor: Actor, game_id: GameId, password: str) -> str | TooOften | None:
        """Return the hash that the password fits. Checked before the game is held: it takes its time."""
        stored = await self._games.password_hash(game_id) if password else None
        if stored is None:
            return None
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
