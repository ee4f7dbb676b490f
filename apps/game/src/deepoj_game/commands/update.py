"""New plans for a game, made from the version the organiser has seen."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from deepoj_domain.game.game import GamePlan
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, Passwords, Ruling


class Update:
    def __init__(self, games: Games, passwords: Passwords, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._passwords = passwords
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, version: int, draft: GamePlan, password: str
    ) -> Refused[StrEnum] | None:
        """An empty password keeps the one there is; a game that is no longer private has none."""
        fresh = await self._passwords.hashed(password) if password else None
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            if opened.version != version:
                return Refused(CommandRefusal.VERSION_CONFLICT)
            hashed = (fresh or opened.password_hash) if draft.sign_up.private else fresh
            plan = replace(draft, sign_up=replace(draft.sign_up, has_password=hashed is not None))
            outcome = opened.game.edit(plan, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            await opened.save(outcome.after, outcome.events, password_hash=hashed)
            await opened.record(Ruling(by=actor.account_id, action="edit"))
        self._journal.changed("update", game_id, actor.account_id)
        return None
