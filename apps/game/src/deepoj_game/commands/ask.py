"""A question to the judges."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.clarification import Clarification, Note, ask
from deepoj_domain.game.notice import clarification_notice
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.guards import why_unknown
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, GameWrite, Journal


class Ask:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def __call__(self, actor: Actor, game_id: GameId, note: Note) -> Clarification | Refused[StrEnum]:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            asker = await opened.entrant(actor.account_id)
            participant = asker.participant if asker else None
            if refusal := why_unknown(opened.game, actor, participant):
                return refusal
            if (known := await opened.clarification(note.id)) is not None:
                return repeated(known, game_id, note)
            now = self._clock()
            asked = ask(opened.game, participant, note, now)
            if isinstance(asked, Refused):
                return asked
            told = clarification_notice(None, asked)
            await opened.write(GameWrite(at=now, clarification=asked, notices=(told,)))
        self._journal.changed("ask", game_id, actor.account_id)
        return asked


def repeated(known: Clarification, game_id: GameId, note: Note) -> Clarification | Refused[StrEnum]:
    """The id comes from the caller: the same call twice leaves one note."""
    if (known.game_id, known.question_id, known.text) == (game_id, note.question_id, note.text):
        return known
    return Refused(CommandRefusal.CLARIFICATION_ID_TAKEN)
