"""What one account sees of another's submission, as far as record can tell without the game's clock."""

from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing


class Sight(StrEnum):
    NOTHING = "nothing"
    """To this viewer it does not exist."""
    OUTLINE = "outline"
    """Who, what, when and the verdict; neither the source nor what the judge said about it."""
    EVERYTHING = "everything"


_STAFF = frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN})
# A candidate's verdict is not yet anybody's verdict.
_SHOWN = frozenset({Standing.HEAD, Standing.ARCHIVED})


def is_staff(actor: Actor | None) -> bool:
    return actor is not None and actor.role in _STAFF


def sight_of(actor: Actor | None, *, owner: AccountId, game_id: GameId | None, standing: Standing) -> Sight:
    """A guest sees nothing. What was sent in a game is shown to others by the game, which knows its phase."""
    if actor is None:
        return Sight.NOTHING
    if is_staff(actor):
        return Sight.EVERYTHING
    if standing not in _SHOWN:
        return Sight.NOTHING
    if actor.account_id == owner:
        return Sight.EVERYTHING
    return Sight.OUTLINE if game_id is None else Sight.NOTHING
