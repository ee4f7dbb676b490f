"""What the judges tell everybody."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.clarification import Clarification, Note, broadcast
from deepoj_domain.game.notice import clarification_notice
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.ask import repeated
from deepoj_game.commands.guards import why_not_staff
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, GameWrite, Journal


class Broadcast:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, game_id: GameId, note: Note) -> Clarification | Refused[StrEnum]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_staff(opened.game, actor):
                return refusal
            if (known := await opened.clarification(note.id)) is not None:
                return repeated(known, game_id, note)
            now = self._clock()
            said = broadcast(opened.game, note, now)
            if isinstance(said, Refused):
                return said
            told = clarification_notice(None, said)
            await opened.write(GameWrite(at=now, clarification=said, notices=(told,)))
        self._journal.changed("broadcast", game_id, actor.account_id)
        return said
