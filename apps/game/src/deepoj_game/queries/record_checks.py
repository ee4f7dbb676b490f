"""What record asks before it takes or shows a submission: entry, sight, and which games are sealed."""

from __future__ import annotations

from deepoj_domain.game.participant import phase_for, why_no_submission
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.game.visibility import rules_for
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules, SealedGames
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


class CheckSight:
    """Asked by the service that has the submissions."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self, actor: Actor | None, game_id: GameId) -> GameRules | Refused[QueryRefusal]:
        stored = await self._games.game(game_id)
        if stored is None:
            return Refused(QueryRefusal.NOT_FOUND)
        game, now = stored.game, self._clock()
        entrant = None if actor is None else await self._games.entrant(game_id, actor.account_id)
        running: frozenset[AccountId] = frozenset()
        if game.phase_at(now).is_over and game.plan.sign_up.virtual_allowed:
            running = await self._games.began_after(game_id, now - game.plan.schedule.length)
        return rules_for(game, actor, entrant.participant if entrant else None, running, now)


class ListSealedGames:
    """Asked by services that count over many games."""

    def __init__(self, games: GameReader, clock: Clock) -> None:
        self._games = games
        self._clock = clock

    async def __call__(self) -> SealedGames:
        now = self._clock()
        games, running = await self._games.sealed(now), await self._games.running(now)
        return SealedGames(frozenset(games), frozenset(running))
