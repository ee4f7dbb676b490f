"""Work on a board that takes longer than somebody waits for an answer, and how far it has come."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from deepoj_domain.game.scoring.diff import RankChange
from deepoj_domain.kernel.ids import AccountId, GameId, WorkId

MOST_CHANGES_TOLD = 100


class Stage(StrEnum):
    WAITING = "waiting"
    READING = "reading"
    """The submissions of the records; `done` and `total` count them."""
    SCORING = "scoring"
    """Participants; `done` and `total` count them."""
    SWITCHING = "switching"
    """The new board is complete and about to be shown."""


class WorkOutcome(StrEnum):
    DONE = "done"
    REFUSED = "refused"
    """The game had changed, and no longer allowed it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """What a recompute found."""

    submissions: int = 0
    corrected: int = 0
    """Submissions that the log had missed, or had otherwise than the records."""
    rows_changed: int = 0
    changes: tuple[RankChange, ...] = ()
    """The first of them, best rank first."""
    labels: tuple[str, ...] = ()
    names: dict[AccountId, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    id: WorkId
    game_id: GameId
    kind: str
    """Of a task, see `decision.py`."""
    asked_by: AccountId
    asked_at: datetime
    reason: str = ""
    stage: Stage = Stage.WAITING
    done: int = 0
    total: int = 0
    """0 while it is not known."""
    submissions: int = 0
    """Read so far."""
    finished_at: datetime | None = None
    outcome: WorkOutcome | None = None
    error: str = ""
    result: Rebuilt | None = None
