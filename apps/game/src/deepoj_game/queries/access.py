"""What every query on one game begins with: whether there is one, and who asks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from deepoj_domain.game.game import Game
from deepoj_domain.game.visibility import Viewer, is_listed_for, may_see_problems, viewer_of
from deepoj_domain.kernel.ids import GameId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.queries.ports import GameReader
from deepoj_game.queries.views import EntrantView, GameView, QueryRefusal, StoredGame


@dataclass(frozen=True, slots=True)
class Visit:
    """A game and who looks at it."""

    stored: StoredGame
    actor: Actor | None
    viewer: Viewer
    entrant: EntrantView | None

    @property
    def game(self) -> Game:
        return self.stored.game


async def visit(games: GameReader, actor: Actor | None, game_id: GameId) -> Visit | Refused[QueryRefusal]:
    stored = await games.game(game_id)
    if stored is None:
        return Refused(QueryRefusal.NOT_FOUND)
    entrant = None if actor is None else await games.entrant(game_id, actor.account_id)
    viewer = viewer_of(stored.game, actor, entrant.participant if entrant else None)
    if not is_listed_for(stored.game, actor, viewer):
        return Refused(QueryRefusal.NOT_FOUND)
    return Visit(stored, actor, viewer, entrant)


async def visit_as_staff(
    games: GameReader, actor: Actor | None, game_id: GameId
) -> Visit | Refused[QueryRefusal]:
    found = await visit(games, actor, game_id)
    if isinstance(found, Refused) or found.viewer.is_staff:
        return found
    return Refused(QueryRefusal.NOT_ALLOWED)


def shown(stored: StoredGame, viewer: Viewer, entrant: EntrantView | None, now: datetime) -> GameView:
    """Return what the viewer may see: problems in their time, and lists of accounts if they are staff."""
    game = stored.game
    if not viewer.is_staff:
        plan = replace(game.plan, sign_up=replace(game.plan.sign_up, invited=frozenset()))
        game = replace(game, plan=plan, ignored=frozenset())
    if not may_see_problems(game, viewer, now):
        game = replace(game, plan=replace(game.plan, problems=()))
    return GameView(
        game=game,
        phase=game.phase_at(now),
        version=stored.version,
        viewer=viewer,
        entrant=entrant,
    )
