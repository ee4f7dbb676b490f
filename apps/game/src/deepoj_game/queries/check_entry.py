"""Whether an account may submit to a question of a game now."""

from __future__ import annotations

from deepoj_domain.game.participant import phase_for, why_no_submission
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.ids import GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.access import visit
from deepoj_game.queries.ports import Clock, GameReader
from deepoj_game.queries.views import QueryRefusal


class CheckEntry:
    """Asked with every contest submission."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(
        self, actor: Actor, game_id: GameId, question_id: QuestionId
    ) -> Phase | Refused[QueryRefusal] | Refused[GameRefusal]:
        found = await visit(self._games, actor, game_id)
        if isinstance(found, Refused):
            return found
        now = self._clock()
        participant = found.entrant.participant if found.entrant else None
        if refusal := why_no_submission(found.game, participant, question_id, now):
            return Refused(refusal)
        return found.game.phase_at(now) if participant is None else phase_for(found.game, participant, now)
