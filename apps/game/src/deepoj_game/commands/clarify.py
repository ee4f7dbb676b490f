"""Questions to the judges, their answers, and what they tell everybody."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.game.clarification import Answer, Clarification, Note, answer, ask, broadcast
from deepoj_domain.kernel.ids import ClarificationId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.opening import why_not_staff
from deepoj_game.commands.ports import Clock, CommandRefusal, Games, Journal, OpenGame

Outcome = Clarification | Refused[StrEnum]


class Clarify:
    def __init__(self, games: Games, journal: Journal, clock: Clock) -> None:
        self._games = games
        self._journal = journal
        self._clock = clock

    async def ask(self, actor: Actor, game_id: GameId, note: Note) -> Outcome:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if (known := await opened.clarification(note.id)) is not None:
                return _repeated(known, game_id, note)
            asker = await opened.entrant(actor.account_id)
            outcome = ask(opened.game, asker.participant if asker else None, note, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            await opened.put_clarification(outcome.after, outcome.events)
        self._journal.changed("ask", game_id, actor.account_id)
        return outcome.after

    async def broadcast(self, actor: Actor, game_id: GameId, note: Note) -> Outcome:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_staff(opened.game, actor):
                return refusal
            if (known := await opened.clarification(note.id)) is not None:
                return _repeated(known, game_id, note)
            outcome = broadcast(opened.game, note, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            await opened.put_clarification(outcome.after, outcome.events)
        self._journal.changed("broadcast", game_id, actor.account_id)
        return outcome.after

    async def answer(
        self, actor: Actor, game_id: GameId, clarification_id: ClarificationId, text: str, *, public: bool
    ) -> Outcome:
        async with self._games.open(game_id) as opened:
            if opened is None:
                return Refused(CommandRefusal.NOT_FOUND)
            if refusal := why_not_staff(opened.game, actor):
                return refusal
            outcome = await self._answer(opened, clarification_id, actor, text, public=public)
        if not isinstance(outcome, Refused):
            self._journal.changed("answer", game_id, actor.account_id)
        return outcome

    async def _answer(
        self, opened: OpenGame, clarification_id: ClarificationId, actor: Actor, text: str, *, public: bool
    ) -> Outcome:
        known = await opened.clarification(clarification_id)
        if known is None or known.game_id != opened.game.id:
            return Refused(CommandRefusal.NOT_FOUND)
        reply = Answer(text, actor.account_id, self._clock())
        outcome = answer(opened.game, known, reply, public=public)
        if isinstance(outcome, Refused):
            return outcome
        await opened.put_clarification(outcome.after, outcome.events)
        return outcome.after


def _repeated(known: Clarification, game_id: GameId, note: Note) -> Outcome:
    """The id comes from the caller: the same call twice leaves one note."""
    if (known.game_id, known.question_id, known.text) == (game_id, note.question_id, note.text):
        return known
    return Refused(CommandRefusal.CLARIFICATION_ID_TAKEN)
