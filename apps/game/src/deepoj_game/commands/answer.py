"""The judges' answer to a question, for whoever asked or for everybody."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game import clarification
from deepoj_domain.game.clarification import Clarification
from deepoj_domain.game.notice import clarification_notice
from deepoj_domain.kernel.ids import ClarificationId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_not_staff
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, GameWrite, Journal


class Answer:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, clarification_id: ClarificationId, text: str, *, public: bool
    ) -> Clarification | Refused[StrEnum]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_staff(opened.game, actor):
                return refusal
            known = await opened.clarification(clarification_id)
            if known is None or known.game_id != game_id:
                return Refused(CommandRefusal.NOT_FOUND)
            now = self._clock()
            reply = clarification.Answer(text, actor.account_id, now)
            answered = clarification.answer(opened.game, known, reply, public=public)
            if isinstance(answered, Refused):
                return answered
            told = clarification_notice(known, answered)
            await opened.write(GameWrite(at=now, clarification=answered, notices=(told,)))
        self._journal.changed("answer", game_id, actor.account_id)
        return answered
