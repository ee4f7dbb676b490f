"""The Game aggregate. Participants are entities of their own (`sign_up.py`): there may be thousands."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from deepoj_domain.game.events import GameChange, GameChanged
from deepoj_domain.game.format import GameFormat
from deepoj_domain.game.problem import GameProblem, require_distinct
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Phase, Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId
from deepoj_domain.kernel.outcome import Changed, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """What the organisers decide."""

    title: str
    format: GameFormat
    schedule: Schedule
    problems: tuple[GameProblem, ...]
    sign_up: SignUpRules
    staff: frozenset[AccountId] = frozenset()

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise InvalidValueError("title_empty", "a game needs a title")
        require_distinct(self.problems)

    def questions(self) -> frozenset[QuestionId]:
        return frozenset(problem.question_id for problem in self.problems)


GameOutcome = Changed["Game"] | Refused[GameRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    id: GameId
    owner: AccountId
    plan: GamePlan
    deleted: bool = False

    @classmethod
    def create(cls, game_id: GameId, owner: AccountId, plan: GamePlan, now: datetime) -> Changed["Game"]:
        return _told(cls(id=game_id, owner=owner, plan=plan), GameChange.CREATED, now)

    def phase_at(self, now: datetime) -> Phase:
        return self.plan.schedule.phase_at(now)

    def edit(self, plan: GamePlan, now: datetime) -> GameOutcome:
        """Once it has started, what people already competed under stays: format, start and problems."""
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if self.phase_at(now) is not Phase.BEFORE:
            if (plan.format, plan.schedule.start) != (self.plan.format, self.plan.schedule.start):
                return Refused(GameRefusal.ALREADY_STARTED)
            if not plan.questions() >= self.plan.questions():
                return Refused(GameRefusal.PROBLEM_IN_USE)
        return _told(replace(self, plan=plan), GameChange.EDITED, now)

    def extend(self, by: timedelta, now: datetime) -> GameOutcome:
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if by <= timedelta(0):
            return Refused(GameRefusal.EXTENSION_NOT_POSITIVE)
        if self.phase_at(now) is Phase.ENDED:
            return Refused(GameRefusal.ALREADY_ENDED)
        return _told(self._with(self.plan.schedule.extended(by)), GameChange.EXTENDED, now)

    def unfreeze(self, now: datetime) -> GameOutcome:
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if self.phase_at(now) is not Phase.ENDED:
            return Refused(GameRefusal.NOT_ENDED)
        if not self.plan.schedule.board_is_frozen(now):
            return Refused(GameRefusal.NOT_FROZEN)
        return _told(self._with(replace(self.plan.schedule, unfrozen_at=now)), GameChange.UNFROZEN, now)

    def delete(self, now: datetime) -> GameOutcome:
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if self.plan.schedule.is_live(now):
            return Refused(GameRefusal.ALREADY_STARTED)
        return _told(replace(self, deleted=True), GameChange.DELETED, now)

    def _with(self, schedule: Schedule) -> "Game":
        return replace(self, plan=replace(self.plan, schedule=schedule))


def _told(game: Game, change: GameChange, now: datetime) -> Changed[Game]:
    return Changed(game, (GameChanged(occurred_at=now, game_id=game.id, change=change),))
