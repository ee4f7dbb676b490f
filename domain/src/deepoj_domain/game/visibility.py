"""Who sees what of a game, and when. The owning service asks here; so may the front door."""

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.role import Actor


class Viewer(StrEnum):
    STAFF = "staff"
    PARTICIPANT = "participant"
    PUBLIC = "public"


class BoardView(StrEnum):
    FULL = "full"
    FROZEN = "frozen"
    """Everything from the freeze on is shown as pending, whatever its verdict."""
    HIDDEN = "hidden"


def viewer_of(game: Game, actor: Actor | None, participant: Participant | None) -> Viewer:
    if actor is not None and (
        actor.is_admin or actor.account_id == game.owner or actor.account_id in game.plan.staff
    ):
        return Viewer.STAFF
    if participant is not None and not participant.withdrawn:
        return Viewer.PARTICIPANT
    return Viewer.PUBLIC


def may_see_problems(game: Game, viewer: Viewer, now: datetime) -> bool:
    """During the game only those who take part see its problems."""
    match viewer, game.phase_at(now):
        case (Viewer.STAFF, _) | (_, Phase.ENDED):
            return True
        case (_, Phase.BEFORE):
            return False
        case _:
            return viewer is Viewer.PARTICIPANT


def may_see_submission(game: Game, viewer: Viewer, *, own: bool, now: datetime) -> bool:
    """Until the end a contestant sees only their own."""
    return own or viewer is Viewer.STAFF or game.phase_at(now) is Phase.ENDED


def may_see_verdict(game: Game, viewer: Viewer, *, own: bool, now: datetime) -> bool:
    if not may_see_submission(game, viewer, own=own, now=now):
        return False
    return viewer is Viewer.STAFF or game.plan.format.tells_verdicts_live or game.phase_at(now) is Phase.ENDED


def board_view(game: Game, viewer: Viewer, now: datetime) -> BoardView:
    if viewer is Viewer.STAFF:
        return BoardView.FULL
    phase = game.phase_at(now)
    if phase is Phase.BEFORE or (phase is not Phase.ENDED and not game.plan.format.tells_verdicts_live):
        return BoardView.HIDDEN
    return BoardView.FROZEN if game.plan.schedule.board_is_frozen(now) else BoardView.FULL
