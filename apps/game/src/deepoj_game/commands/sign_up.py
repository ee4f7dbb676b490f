"""Taking part."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.participant import ParticipantKind, sign_up
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.ports import Clock, CommandRefusal, Entrant, Games, Journal, OpenGame, Passwords

_NAME_CHARACTERS = 100


class SignUp:
    def __init__(self, games: Games, passwords: Passwords, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._passwords = passwords
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, display_name: str, password: str, *, virtual: bool
    ) -> Entrant | Refused[StrEnum]:
        name = checked_name(display_name)
        matches = await self._matches(game_id, password)
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

    async def _matches(self, game_id: GameId, password: str) -> str | None:
        """Return the hash that the password fits. Checked before the game is held: it takes its time."""
        stored = await self._games.password_hash(game_id) if password else None
        return stored if stored is not None and await self._passwords.matches(password, stored) else None


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
