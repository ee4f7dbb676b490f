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
    manages: bool = False
    """May change this game, and so have what was sent to it judged again."""
    shows_others: bool = False
    tells_verdicts: bool = False
    """Of the account's own submissions."""
    still_running: frozenset[AccountId] = frozenset()
    """Virtual participants whose own time is not over: theirs are not shown to others yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionRules:
    """What one account may know of a question; `question.visibility` decides it."""

    reads: bool = False
    inspects: bool = False
    """Its test data too, and so what checkers say, which quotes it."""


@dataclass(frozen=True, slots=True)
class SealedGames:
    """What counts over many games have to leave out."""

    games: frozenset[GameId] = frozenset()
    running: frozenset[tuple[GameId, AccountId]] = frozenset()
    """Virtual participants on clocks that have not run out."""


_STAFF = frozenset({Role.JUDGE, Role.ADMIN})
# A candidate's verdict is not yet anybody's verdict.
_SHOWN = frozenset({Standing.HEAD, Standing.ARCHIVED})
_UNKNOWN_RULES = GameRules()
UNKNOWN_QUESTION = QuestionRules()


def is_staff(actor: Actor | None) -> bool:
    """Of the site: a setter is not, another's submissions and problems are no business of theirs."""
    return actor is not None and actor.role in _STAFF


def may_rejudge(actor: Actor | None, rules: GameRules | None) -> bool:
    """Tell whether the actor may rejudge, and see what it would change.

    `rules` are the actor's in the game that all of it was sent to; None when there is no such game.
    """
    return is_staff(actor) or (rules is not None and rules.manages)


def may_see_dead_letters(actor: Actor | None) -> bool:
    """Dead letters tell what broke on our side; whoever sees them may replay them."""
    return actor is not None and actor.is_admin


def is_staff_of(
    actor: Actor | None,
    game_id: GameId | None,
    rules: GameRules | None,
    question: QuestionRules = UNKNOWN_QUESTION,
) -> bool:
    """Whose question it is has the say where there is no game; in one they may be a contestant."""
    if actor is None or is_staff(actor):
        return actor is not None
    return question.inspects if game_id is None else rules is not None and rules.staff


def sight_of(
    actor: Actor | None,
    *,
    owner: AccountId,
    game_id: GameId | None,
    standing: Standing,
    rules: GameRules | None = None,
    question: QuestionRules = UNKNOWN_QUESTION,
) -> Sight:
    """`rules` are the actor's in the game it was sent to; None when there is no game, or nobody knows.

    `question` is what the actor may know of the question it was sent to. Who knows less is shown less.
    """
    if actor is None:
        return Sight.NOTHING
    if is_staff_of(actor, game_id, rules, question):
        return Sight.EVERYTHING
    if standing not in _SHOWN:
        return Sight.NOTHING
    rules = rules or _UNKNOWN_RULES
    if actor.account_id == owner:
        return Sight.EVERYTHING if game_id is None or rules.tells_verdicts else Sight.UNDECIDED
    shown = rules.shows_others and owner not in rules.still_running
    return Sight.OUTLINE if (question.reads if game_id is None else shown) else Sight.NOTHING
