"""Who sees what of a game, and when. The owning service asks here; so may the front door."""

from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.game import Game
from deepoj_domain.game.participant import Participant, phase_for
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.visibility import GameRules


class Viewer(StrEnum):
    ADMIN = "admin"
    """The owner, the game's admins and the site's: may change the game."""
    JUDGE = "judge"
    """Sees everything and answers clarifications."""
    PARTICIPANT = "participant"
    PUBLIC = "public"

    @property
    def is_staff(self) -> bool:
        return self in {Viewer.ADMIN, Viewer.JUDGE}


class BoardView(StrEnum):
    PUBLIC = "public"
    """What everybody may see at that moment: frozen while it is frozen."""
    FROZEN = "frozen"
    """Everything from the freeze on is shown as pending, whatever its verdict."""
    OWN = "own"
    """The public board with the viewer's own row unfrozen."""
    ADMIN = "admin"
    """Everything, hidden participants too."""


def viewer_of(game: Game, actor: Actor | None, participant: Participant | None) -> Viewer:
    if actor is not None:
        if actor.is_admin or actor.account_id == game.owner or actor.account_id in game.plan.admins:
            return Viewer.ADMIN
        if actor.account_id in game.plan.judges:
            return Viewer.JUDGE
    if participant is not None and not participant.withdrawn:
        return Viewer.PARTICIPANT
    return Viewer.PUBLIC


def may_create(actor: Actor | None) -> bool:
    return actor is not None and actor.role in {Role.SETTER, Role.JUDGE, Role.ADMIN}


def is_listed_for(game: Game, actor: Actor | None, viewer: Viewer) -> bool:
    """A private game is known to its staff, to those who take part and to the invited."""
    if game.deleted:
        return False
    if not game.plan.sign_up.private or viewer is not Viewer.PUBLIC:
        return True
    return actor is not None and actor.account_id in game.plan.sign_up.invited


def may_see_problems(game: Game, viewer: Viewer, now: datetime) -> bool:
    """During the game only those who take part see its problems."""
    phase = game.phase_at(now)
    if viewer.is_staff or phase.is_over:
        return True
    return viewer is Viewer.PARTICIPANT and phase.is_live


def may_see_submission(
    game: Game, viewer: Viewer, *, own: bool, now: datetime, participant: Participant | None = None
) -> bool:
    """Until the end a contestant sees only their own, and so while a frozen board still hides the others'.

    `participant` is who submitted: somebody on a clock of their own is not watched until their own end.
    """
    if own or viewer.is_staff:
        return True
    if not game.phase_at(now).is_over or game.plan.schedule.board_is_frozen(now):
        return False
    return participant is None or phase_for(game, participant, now).is_over


def may_see_verdict(
    game: Game, viewer: Viewer, *, own: bool, now: datetime, participant: Participant | None = None
) -> bool:
    """`participant` is who submitted: somebody on a clock of their own waits for their own end."""
    if not may_see_submission(game, viewer, own=own, now=now, participant=participant):
        return False
    phase = game.phase_at(now) if participant is None else phase_for(game, participant, now)
    return viewer.is_staff or game.plan.format.tells_verdicts_live or phase.is_over


def is_withheld(game: Game, participant: Participant, now: datetime) -> bool:
    """Whether only the staff sees the participant's row: where verdicts wait for the end, it does so too."""
    return not game.plan.format.tells_verdicts_live and not phase_for(game, participant, now).is_over


def rules_for(
    game: Game,
    actor: Actor | None,
    participant: Participant | None,
    still_running: frozenset[AccountId],
    now: datetime,
) -> GameRules:
    """Say what the service of submissions needs to know to show them as the two functions above would.

    `participant` is the actor's own. Of a private game a stranger sees nobody's submissions.
    """
    viewer = viewer_of(game, actor, participant)
    listed = is_listed_for(game, actor, viewer)
    return GameRules(
        staff=viewer.is_staff,
        manages=viewer is Viewer.ADMIN and not game.deleted,
        shows_others=listed and may_see_submission(game, viewer, own=False, now=now),
        tells_verdicts=may_see_verdict(game, viewer, own=True, now=now, participant=participant),
        still_running=still_running,
    )


def why_no_board(
    game: Game, viewer: Viewer, view: BoardView, at: datetime, now: datetime
) -> GameRefusal | None:
    """`at` is the moment whose board is asked for. None when it may be shown."""
    if viewer.is_staff:
        return None
    if view is BoardView.ADMIN:
        return GameRefusal.ACCESS_DENIED
    if view is BoardView.OWN and viewer is not Viewer.PARTICIPANT:
        return GameRefusal.NOT_A_PARTICIPANT
    if game.phase_at(at) is Phase.BEFORE:
        return GameRefusal.BOARD_HIDDEN
    hidden = not game.plan.format.tells_verdicts_live and not game.phase_at(now).is_over
    return GameRefusal.BOARD_HIDDEN if hidden else None


def shows_frozen(game: Game, view: BoardView, at: datetime) -> bool:
    """Whether the rows of this view, at that moment, stand still at the freeze."""
    match view:
        case BoardView.FROZEN:
            return True
        case BoardView.ADMIN:
            return False
        case BoardView.PUBLIC | BoardView.OWN:
            return game.plan.schedule.board_is_frozen(at)
