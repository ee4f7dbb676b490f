"""What an admin asks to be done to a game and its board, as data: it may be carried out some time later."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from deepoj_domain.game.game import Game, GameOutcome, GamePlan
from deepoj_domain.game.schedule import Interval
from deepoj_domain.kernel.ids import AccountId, SubmissionId


@dataclass(frozen=True, slots=True)
class Recompute:
    """Log and board anew from the records."""

    kind: ClassVar[str] = "recompute"
    account_id: AccountId | None = None
    """Only this participant; None: all."""

    def details(self) -> dict[str, str]:
        return {} if self.account_id is None else {"account_id": str(self.account_id)}


@dataclass(frozen=True, slots=True)
class Edit:
    kind: ClassVar[str] = "edit"
    plan: GamePlan
    password_hash: str | None

    def decide(self, game: Game, now: datetime) -> GameOutcome:
        return game.edit(self.plan, now)

    def details(self) -> dict[str, str]:
        """What was asked for, as the audit shows it: nothing of a plan, which may hold a password."""
        return {}


@dataclass(frozen=True, slots=True)
class Extend:
    kind: ClassVar[str] = "extend"
    by: timedelta

    def decide(self, game: Game, now: datetime) -> GameOutcome:
        return game.extend(self.by, now)

    def details(self) -> dict[str, str]:
        return {"by": str(self.by)}


@dataclass(frozen=True, slots=True)
class RemoveInterval:
    kind: ClassVar[str] = "remove_interval"
    interval: Interval

    def decide(self, game: Game, now: datetime) -> GameOutcome:
        return game.remove_interval(self.interval, now)

    def details(self) -> dict[str, str]:
        return _times(self.interval)


@dataclass(frozen=True, slots=True)
class RestoreInterval:
    kind: ClassVar[str] = "restore_interval"
    interval: Interval

    def decide(self, game: Game, now: datetime) -> GameOutcome:
        return game.restore_interval(self.interval, now)

    def details(self) -> dict[str, str]:
        return _times(self.interval)


@dataclass(frozen=True, slots=True)
class Ignore:
    """A submission does not count; or counts again."""

    origin_id: SubmissionId
    ignored: bool

    def decide(self, game: Game, now: datetime) -> GameOutcome:
        return game.ignore(self.origin_id, now) if self.ignored else game.count_again(self.origin_id, now)


def _times(interval: Interval) -> dict[str, str]:
    return {"from": interval.since.isoformat(), "before": interval.until.isoformat()}


Decision = Edit | Extend | RemoveInterval | RestoreInterval
Task = Recompute | Decision
TASKS: Final[Mapping[str, type[Task]]] = {
    each.kind: each for each in (Recompute, Edit, Extend, RemoveInterval, RestoreInterval)
}
