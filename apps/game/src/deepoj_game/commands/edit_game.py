"""New plans for a game, made from the version the organiser has seen."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from deepoj_domain.game.decision import Edit
from deepoj_domain.game.game import GamePlan
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_admin
from deepoj_game.commands.ports import (
    Clock,
    CommandRefusal,
    Games,
    Journal,
    OpenGame,
    Passwords,
    Questions,
    Ruling,
)
from deepoj_game.commands.readable_problems import why_no_problems
from deepoj_game.commands.rescore import game_write


class EditGame:
    def __init__(
        self,
        games: Games,
        questions: Questions,
        passwords: Passwords,
        journal: Journal,
        clock: Clock,
        patience: int,
    ) -> None:
        """`patience`: what touches more submissions or participants than this is carried out as work."""
        self._games = games
        self._questions = questions
        self._passwords = passwords
        self._journal = journal
        self._clock = clock
        self._patience = patience

    async def __call__(
        self, actor: Actor, game_id: GameId, version: int, draft: GamePlan, password: str
    ) -> Refused[StrEnum] | None:
        """An empty password keeps the one there is; a game that is no longer private has none."""
        # Asked before the game is held; the version tells whether it is still the one that was looked at.
        async with self._games.open(game_id) as opened:
            known = None if opened is None else opened.game.plan.questions()
            refusal = _why_not(opened, actor, version)
        if refusal := refusal or await why_no_problems(
            self._questions, actor, draft.questions() - (known or frozenset())
        ):
            return refusal
        fresh = await self._passwords.hashed(password) if password else None
        async with self._games.open(game_id) as opened:
            if opened is None or (refusal := _why_not(opened, actor, version)):
                return refusal or Refused(CommandRefusal.NOT_FOUND)
            hashed = (fresh or opened.password_hash) if draft.sign_up.private else fresh
            plan = replace(draft, sign_up=replace(draft.sign_up, has_password=hashed is not None))
            decision, ruling = Edit(plan, hashed), Ruling(by=actor.account_id, action="edit")
            now = self._clock()
            outcome = decision.decide(opened.game, now)
            if isinstance(outcome, Refused):
                return outcome
            write = await game_write(
                opened, outcome, now, password_hash=hashed, ruling=ruling, most=self._patience
            )
            if write is not None:
                await opened.write(write)
            elif await opened.begin(decision, ruling, now) is None:
                return Refused(CommandRefusal.WORK_UNDER_WAY)
        self._journal.changed("update", game_id, actor.account_id)
        return None


def _why_not(opened: OpenGame | None, actor: Actor, version: int) -> Refused[CommandRefusal] | None:
    if opened is None:
        return Refused(CommandRefusal.NOT_FOUND)
    if refusal := why_not_admin(opened.game, actor):
        return refusal
    return None if opened.version == version else Refused(CommandRefusal.VERSION_CONFLICT)
