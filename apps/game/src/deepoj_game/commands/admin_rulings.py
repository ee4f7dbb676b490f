"""What an admin decides about a game as a whole: one of the decisions beside this file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.decision import Decision
from deepoj_domain.game.game import GameOutcome
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, OpenGame, Ruling
from deepoj_game.commands.rescore import game_write

Decide = Callable[[OpenGame, datetime], Awaitable[GameOutcome | Refused[CommandRefusal]]]


class AdminRulings:
    """Each decision is written with its author and reason, scores that follow from it included."""

    def __init__(self, games: Games, journal: Journal, clock: Clock, patience: int) -> None:
        """`patience`: what touches more submissions or participants than this is carried out as work."""
        self._games = games
        self._journal = journal
        self._clock = clock
        self._patience = patience

    async def __call__(
        self, actor: Actor, game_id: GameId, ruling: Ruling, decide: Decide, task: Decision | None = None
    ) -> Refused[StrEnum] | None:
        """With a `task`, a decision from which very many scores follow takes effect when they are there."""
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_admin(opened.game, actor):
                return refusal
            now = self._clock()
            outcome = await decide(opened, now)
            if isinstance(outcome, Refused):
                self._journal.refused(ruling.action, game_id, outcome.reason)
                return Refused(outcome.reason, outcome.detail)
            hashed, most = opened.password_hash, None if task is None else self._patience
            write = await game_write(opened, outcome, now, password_hash=hashed, ruling=ruling, most=most)
            if write is not None:
                await opened.write(write)
            elif task is None or await opened.begin(task, ruling, now) is None:
                return Refused(CommandRefusal.WORK_UNDER_WAY)
        self._journal.changed(ruling.action, game_id, actor.account_id)
        return None
