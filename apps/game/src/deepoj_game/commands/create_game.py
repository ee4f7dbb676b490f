"""A new game. Its id comes from the caller, so the same call twice makes one game."""

from __future__ import annotations

from dataclasses import replace

from deepoj_domain.game.game import Game, GamePlan
from deepoj_domain.game.visibility import may_create
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.ports import CommandRefusal, Games, Journal, Passwords, Questions
from deepoj_game.commands.readable_problems import why_no_problems


class CreateGame:
    def __init__(self, games: Games, questions: Questions, passwords: Passwords, journal: Journal) -> None:
        self._games = games
        self._questions = questions
        self._passwords = passwords
        self._journal = journal

    async def __call__(
        self, actor: Actor, game_id: GameId, draft: GamePlan, password: str
    ) -> GameId | Refused[CommandRefusal]:
        if not may_create(actor):
            return Refused(CommandRefusal.NOT_ALLOWED)
        if refusal := await why_no_problems(self._questions, actor, draft.questions()):
            return refusal
        hashed = await self._passwords.hashed(password) if password else None
        plan = replace(draft, sign_up=replace(draft.sign_up, has_password=hashed is not None))
        game = Game(id=game_id, owner=actor.account_id, plan=plan)
        if not await self._games.add(game, password_hash=hashed):
            return await self._repeated(game)
        self._journal.changed("create", game_id, actor.account_id)
        return game_id

    async def _repeated(self, wanted: Game) -> GameId | Refused[CommandRefusal]:
        async with self._games.open(wanted.id) as opened:
            known = None if opened is None else (opened.game.owner, opened.game.plan)
            if known == (wanted.owner, wanted.plan):
                return wanted.id
        return Refused(CommandRefusal.GAME_ID_TAKEN)
