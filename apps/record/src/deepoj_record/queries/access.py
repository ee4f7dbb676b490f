"""What of a submission this actor gets to see."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from deepoj_domain.kernel.ids import GameId, WorkerId
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.visibility import GameRules, Sight, is_staff_of, sight_of
from deepoj_record.queries.ports import Games
from deepoj_record.queries.views import SubmissionView


class QueryRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    SIGN_IN_REQUIRED = "sign_in_required"
    NOT_ALLOWED = "not_allowed"


class Access:
    """The eyes of one actor. Games are asked for their rules only when those can make a difference."""

    def __init__(self, games: Games, actor: Actor | None) -> None:
        self._games = games
        self._actor = actor

    async def sight(self, view: SubmissionView) -> Sight:
        return sight_of(
            self._actor,
            owner=view.account_id,
            game_id=view.game_id,
            standing=view.standing,
            rules=await self._rules(view.game_id),
        )

    async def shown(self, view: SubmissionView) -> SubmissionView | None:
        """Return the part the actor may see; None when that is nothing."""
        match await self.sight(view):
            case Sight.NOTHING:
                return None
            case Sight.OUTLINE:
                return view.outlined()
            case Sight.UNDECIDED:
                return view.undecided()
            case Sight.EVERYTHING:
                return view if await self.is_staff(view.game_id) else view.without_staff_notes()

    async def attempts(self, view: SubmissionView, attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
        """The names of our machines are for the staff; an attempt's reason may be the verdict."""
        if await self.is_staff(view.game_id):
            return attempts
        hides_reason = await self.sight(view) is not Sight.EVERYTHING
        return tuple(
            replace(each, worker=WorkerId(""), reason="" if hides_reason else each.reason)
            for each in attempts
        )

    async def is_staff(self, game_id: GameId | None) -> bool:
        return is_staff_of(self._actor, game_id, await self._rules(game_id))

    async def sees_others_in(self, game_id: GameId) -> bool:
        rules = await self._rules(game_id)
        return (rules is not None and rules.shows_others) or await self.is_staff(game_id)

    async def _rules(self, game_id: GameId | None) -> GameRules | None:
        if game_id is None or self._actor is None or is_staff_of(self._actor, game_id, None):
            return None
        return await self._games.rules(game_id, self._actor)
