"""What an account sees of the submissions to a game."""

from __future__ import annotations

from deepoj_domain.game.visibility import rules_for
from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import GameRules
from deepoj_game.queries.ports import Clock, GameReader
from deepoj_game.queries.views import QueryRefusal


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
