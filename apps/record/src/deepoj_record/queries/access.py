"""What of a submission this actor gets to see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from deepoj_domain.kernel.ids import GameId, WorkerId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.attempt import Attempt
from deepoj_domain.submission.visibility import (
    UNKNOWN_QUESTION,
    GameRules,
    QuestionRules,
    Sight,
    is_staff,
    is_staff_of,
    may_rejudge,
    sight_of,
)
from deepoj_record.queries.ports import Games, Questions
from deepoj_record.queries.views import SubmissionView


class QueryRefusal(StrEnum):
    NOT_FOUND = "not_found"
    """It does not exist, or this actor must not know that it does."""
    SIGN_IN_REQUIRED = "sign_in_required"
    NOT_ALLOWED = "not_allowed"


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Who says what may be seen."""

    games: Games
    questions: Questions


class Access:
    """The eyes of one actor. Neighbours are asked only when what they say can make a difference."""

    def __init__(self, neighbours: Neighbours, actor: Actor | None) -> None:
        self._games = neighbours.games
        self._questions = neighbours.questions
        self._actor = actor

    async def sight(self, view: SubmissionView) -> Sight:
        return sight_of(
            self._actor,
            owner=view.account_id,
            game_id=view.game_id,
            standing=view.standing,
            rules=await self._rules(view.game_id),
            question=await self._question(view),
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
            case Sight.EVERYTHING if not await self.is_staff_of(view):
                return view.without_staff_notes()
            case Sight.EVERYTHING:
                inspects = (await self._question(view)).inspects
                return view if inspects else view.without_checker_messages()

    async def attempts(self, view: SubmissionView, attempts: tuple[Attempt, ...]) -> tuple[Attempt, ...]:
        """Our machines and what they have are told the staff; an attempt's reason may be the verdict."""
        if await self.is_staff_of(view):
            return attempts
        hides_reason = await self.sight(view) is not Sight.EVERYTHING
        return tuple(
            replace(each, worker=WorkerId(""), toolchain="", reason="" if hides_reason else each.reason)
            for each in attempts
        )

    async def rights(self, view: SubmissionView) -> QuestionRules:
        """What the actor may know of the question, whoever's submission it is."""
        if self._actor is None or is_staff(self._actor):
            return await self._question(view)
        return await self._questions.rules(view.revision.question_id, self._actor)

    async def is_over(self, view: SubmissionView) -> bool:
        """There is no game that could still be played, or it hides nothing any more."""
        if view.game_id is None or is_staff(self._actor):
            return True
        rules = await self._rules(view.game_id)
        return rules is not None and rules.shows_others and view.account_id not in rules.still_running

    async def rules_in(self, game_id: GameId) -> GameRules:
        if is_staff(self._actor):
            return GameRules(staff=True, shows_others=True, tells_verdicts=True)
        return await self._rules(game_id) or GameRules()

    async def may_rejudge(self, game_id: GameId | None) -> bool:
        """`game_id` is the game to which the selection is restricted."""
        return may_rejudge(self._actor, await self._rules(game_id))

    async def is_staff_of(self, view: SubmissionView) -> bool:
        rules, question = await self._rules(view.game_id), await self._question(view)
        return is_staff_of(self._actor, view.game_id, rules, question)

    async def _question(self, view: SubmissionView) -> QuestionRules:
        """Ask of the questions of others; the own of a contestant are shown alike, whatever the answer."""
        if self._actor is None or is_staff(self._actor):
            return QuestionRules(reads=self._actor is not None, inspects=self._actor is not None)
        own = view.account_id == self._actor.account_id
        if self._actor.role is Role.CONTESTANT and (own or view.game_id is not None):
            return UNKNOWN_QUESTION
        return await self._questions.rules(view.revision.question_id, self._actor)

    async def _rules(self, game_id: GameId | None) -> GameRules | None:
        if game_id is None or self._actor is None or is_staff(self._actor):
            return None
        return await self._games.rules(game_id, self._actor)
