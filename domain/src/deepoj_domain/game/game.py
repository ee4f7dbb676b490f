"""The Game aggregate. Participants are entities of their own (`participant.py`): there may be thousands."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeAlias

from deepoj_domain.game.format import USUAL, Format, FormatOptions
from deepoj_domain.game.problem import GameProblem, require_distinct
from deepoj_domain.game.refusal import GameRefusal
from deepoj_domain.game.schedule import Interval, Phase, Schedule
from deepoj_domain.game.sign_up import SignUpRules
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId, GameId, QuestionId, SubmissionId
from deepoj_domain.kernel.outcome import Refused

_MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePlan:
    """What the organisers decide."""

    title: str
    description: str = ""
    format: Format
    options: FormatOptions = USUAL
    schedule: Schedule
    problems: tuple[GameProblem, ...]
    sign_up: SignUpRules
    admins: frozenset[AccountId] = frozenset()
    """May change the game, as its owner may."""
    judges: frozenset[AccountId] = frozenset()
    """See everything and answer clarifications, but change nothing."""

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise InvalidValueError("title_empty", "a game needs a title")
        require_distinct(self.problems)

    def questions(self) -> frozenset[QuestionId]:
        return frozenset(problem.question_id for problem in self.problems)


GameOutcome: TypeAlias = "Game | Refused[GameRefusal]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    id: GameId
    owner: AccountId
    plan: GamePlan
    ignored: frozenset[SubmissionId] = frozenset()
    """Origin ids, so that a rejudge of an ignored submission stays ignored."""
    deleted: bool = False

    def phase_at(self, now: datetime) -> Phase:
        return self.plan.schedule.phase_at(now)

    def edit(self, draft: GamePlan, now: datetime) -> GameOutcome:
        """Removed intervals, unfreezing and finalizing have commands of their own: a draft leaves them be."""
        if refusal := self._why_closed(now):
            return Refused(refusal)
        plan = replace(draft, schedule=self.plan.schedule.moved_to(draft.schedule))
        if refusal := self._why_no_edit(plan, now):
            return Refused(refusal)
        return replace(self, plan=plan)

    def extend(self, by: timedelta, now: datetime) -> GameOutcome:
        if refusal := self._why_closed(now):
            return Refused(refusal)
        if by <= timedelta(0):
            return Refused(GameRefusal.EXTENSION_NOT_POSITIVE)
        if self.phase_at(now) is Phase.ENDED:
            return Refused(GameRefusal.ALREADY_ENDED)
        return self._with(self.plan.schedule.extended(by, now))

    def remove_interval(self, interval: Interval, now: datetime) -> GameOutcome:
        """Does not move the end: `extend` by as much gives the time back."""
        if refusal := self._why_closed(now):
            return Refused(refusal)
        schedule = self.plan.schedule
        if not schedule.start <= interval.since < interval.until <= schedule.end:
            return Refused(GameRefusal.INTERVAL_OUTSIDE)
        if any(interval.since < known.until and known.since < interval.until for known in schedule.removed):
            return Refused(GameRefusal.INTERVALS_OVERLAP)
        if interval.length >= schedule.length:
            return Refused(GameRefusal.NOTHING_LEFT)
        return self._with(schedule.without(interval))

    def restore_interval(self, interval: Interval, now: datetime) -> GameOutcome:
        """Take a removal back: the clock runs in the interval again."""
        if refusal := self._why_closed(now):
            return Refused(refusal)
        schedule = self.plan.schedule
        if interval not in schedule.removed:
            return Refused(GameRefusal.NOT_REMOVED)
        kept = tuple(each for each in schedule.removed if each != interval)
        return self._with(replace(schedule, removed=kept))

    def ignore(self, origin_id: SubmissionId, now: datetime) -> GameOutcome:
        if refusal := self._why_closed(now):
            return Refused(refusal)
        if origin_id in self.ignored:
            return Refused(GameRefusal.ALREADY_IGNORED)
        return replace(self, ignored=self.ignored | {origin_id})

    def count_again(self, origin_id: SubmissionId, now: datetime) -> GameOutcome:
        if refusal := self._why_closed(now):
            return Refused(refusal)
        if origin_id not in self.ignored:
            return Refused(GameRefusal.NOT_IGNORED)
        return replace(self, ignored=self.ignored - {origin_id})

    def unfreeze(self, now: datetime) -> GameOutcome:
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if not self.phase_at(now).is_over:
            return Refused(GameRefusal.NOT_ENDED)
        if not self.plan.schedule.board_is_frozen(now):
            return Refused(GameRefusal.NOT_FROZEN)
        return self._with(replace(self.plan.schedule, unfrozen_at=now))

    def finalize(self, undecided: Sequence[SubmissionId], now: datetime) -> GameOutcome:
        """`undecided`: the submissions that count and are still without a verdict."""
        if refusal := self._why_closed(now):
            return Refused(refusal)
        if self.phase_at(now) is not Phase.ENDED:
            return Refused(GameRefusal.NOT_ENDED)
        if undecided:
            return Refused(GameRefusal.SUBMISSIONS_UNDECIDED, _named(undecided))
        return self._with(replace(self.plan.schedule, finalized_at=now))

    def reopen(self, now: datetime) -> GameOutcome:
        """The result is not official any more: rulings and rejudges change it until it is finalized again."""
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if self.phase_at(now) is not Phase.FINALIZED:
            return Refused(GameRefusal.NOT_FINALIZED)
        return self._with(replace(self.plan.schedule, finalized_at=None))

    def delete(self, now: datetime) -> GameOutcome:
        if self.deleted:
            return Refused(GameRefusal.DELETED)
        if self.phase_at(now).is_live:
            return Refused(GameRefusal.ALREADY_STARTED)
        return replace(self, deleted=True)

    def _why_closed(self, now: datetime) -> GameRefusal | None:
        if self.deleted:
            return GameRefusal.DELETED
        if self.phase_at(now) is Phase.FINALIZED:
            return GameRefusal.ALREADY_FINALIZED
        return None

    def _why_no_edit(self, plan: GamePlan, now: datetime) -> GameRefusal | None:
        """Once it has started, what people already competed under stays: format, start and problems."""
        phase, was, will = self.phase_at(now), self.plan.schedule, plan.schedule
        if phase is Phase.BEFORE:
            return None
        if (plan.format, plan.options, will.start) != (self.plan.format, self.plan.options, was.start):
            return GameRefusal.ALREADY_STARTED
        if not plan.questions() >= self.plan.questions():
            return GameRefusal.PROBLEM_IN_USE
        return self._why_no_move(will, now)

    def _why_no_move(self, will: Schedule, now: datetime) -> GameRefusal | None:
        """Once it is frozen the freeze stays: unfreezing, after the end, is what publishes."""
        phase, was = self.phase_at(now), self.plan.schedule
        if phase.is_over and will != was:
            return GameRefusal.ALREADY_ENDED
        if phase is Phase.FROZEN and will.freeze != was.freeze:
            return GameRefusal.ALREADY_FROZEN
        if phase.is_live and will.end < now:
            return GameRefusal.END_IN_THE_PAST
        return None

    def _with(self, schedule: Schedule) -> "Game":
        return replace(self, plan=replace(self.plan, schedule=schedule))


def _named(submissions: Sequence[SubmissionId]) -> str:
    more = len(submissions) - _MOST_NAMED
    names = ", ".join(map(str, submissions[:_MOST_NAMED]))
    return f"{names} and {more} more" if more > 0 else names
