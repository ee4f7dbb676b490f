"""What of a submission this actor gets to see."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import Sight, is_staff, sight_of
from deepoj_record.queries.views import SubmissionView


class QueryRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    SIGN_IN_REQUIRED = "sign_in_required"
    NOT_ALLOWED = "not_allowed"


def sight(actor: Actor | None, view: SubmissionView) -> Sight:
    return sight_of(actor, owner=view.account_id, game_id=view.game_id, standing=view.standing)


def shown(actor: Actor | None, view: SubmissionView) -> SubmissionView | None:
    """Return the part the actor may see; None when that is nothing."""
    match sight(actor, view):
        case Sight.NOTHING:
            return None
        case Sight.OUTLINE:
            return view.outlined()
        case Sight.EVERYTHING:
            return view if is_staff(actor) else view.without_staff_notes()
