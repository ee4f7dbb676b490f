"""What one account sees of a submission. Of a game this needs its rules; without them less is shown."""

from dataclasses import dataclass
from enum import StrEnum

from deepoj_domain.kernel.ids import AccountId, GameId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.submission import Standing


class Sight(StrEnum):
    NOTHING = "nothing"
    """To this viewer it does not exist."""
    OUTLINE = "outline"
    """Who, what, when and the verdict; neither the source nor what the judge said about it."""
    UNDECIDED = "undecided"
    """Everything but the verdict and whatever tells it."""
    EVERYTHING = "everything"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """What one account, or a guest, sees of a game's submissions now; `game.visibility` decides it."""

    staff: bool = False
    """Of this game: sees everything."""
    shows_others: bool = False
    tells_verdicts: bool = False
    """Of the account's own submissions."""
    still_running: frozenset[AccountId] = frozenset()
    """Virtual participants whose own time is not over: theirs are not shown to others yet."""


_STAFF = frozenset({Role.SETTER, Role.JUDGE, Role.ADMIN})
_STAFF_OF_GAMES = frozenset({Role.JUDGE, Role.ADMIN})
# A candidate's verdict is not yet anybody's verdict.
_SHOWN = frozenset({Standing.HEAD, Standing.ARCHIVED})
_UNKNOWN_RULES = GameRules()


def is_staff(actor: Actor | None) -> bool:
    return actor is not None and actor.role in _STAFF


def may_rejudge(actor: Actor | None) -> bool:
    """Whoever may also sees what a rejudge would change, and how long the queues are."""
    return actor is not None and actor.role in _STAFF_OF_GAMES


def may_see_dead_letters(actor: Actor | None) -> bool:
    """They tell what broke on our side; whoever sees them may replay them."""
    return actor is not None and actor.is_admin


def is_staff_of(actor: Actor | None, game_id: GameId | None, rules: GameRules | None) -> bool:
    """A setter is staff where there is no game; in one they may be a contestant."""
    if game_id is None or actor is None:
        return is_staff(actor)
    return actor.role in _STAFF_OF_GAMES or (rules is not None and rules.staff)


def sight_of(
    actor: Actor | None,
    *,
    owner: AccountId,
    game_id: GameId | None,
    standing: Standing,
    rules: GameRules | None = None,
) -> Sight:
    """`rules` are the actor's in the game it was sent to; None when there is no game, or nobody knows."""
    if actor is None:
        return Sight.NOTHING
    if is_staff_of(actor, game_id, rules):
        return Sight.EVERYTHING
    if standing not in _SHOWN:
        return Sight.NOTHING
    if game_id is None:
        return Sight.EVERYTHING if actor.account_id == owner else Sight.OUTLINE
    rules = rules or _UNKNOWN_RULES
    if actor.account_id == owner:
        return Sight.EVERYTHING if rules.tells_verdicts else Sight.UNDECIDED
    return Sight.OUTLINE if rules.shows_others and owner not in rules.still_running else Sight.NOTHING
