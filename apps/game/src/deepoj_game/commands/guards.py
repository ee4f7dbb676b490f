"""What every command on one game begins with: whether there is one, and whether this actor may."""

from __future__ import annotations

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.visibility import Viewer, is_listed_for, viewer_of
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_game.commands.ports import CommandRefusal


def why_not_admin(game: Game, actor: Actor) -> Refused[CommandRefusal] | None:
    """To those who must not know of a game it does not exist."""
    viewer = viewer_of(game, actor, None)
    if viewer is Viewer.ADMIN:
        return None
    return why_unknown(game, actor, None) or Refused(CommandRefusal.NOT_ALLOWED)


def why_not_staff(game: Game, actor: Actor) -> Refused[CommandRefusal] | None:
    if viewer_of(game, actor, None).is_staff:
        return None
    return why_unknown(game, actor, None) or Refused(CommandRefusal.NOT_ALLOWED)


def why_unknown(game: Game, actor: Actor, participant: Participant | None) -> Refused[CommandRefusal] | None:
    if is_listed_for(game, actor, viewer_of(game, actor, participant)):
        return None
    return Refused(CommandRefusal.NOT_FOUND)
