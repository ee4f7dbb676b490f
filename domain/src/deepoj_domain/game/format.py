"""Game formats. Scoring is a policy over one log of judged submissions; each format brings its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol, TypeVar

from deepoj_domain.game.schedule import Schedule
from deepoj_domain.judgement.result import GroupScore
from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.ids import AccountId, QuestionId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict


class GameFormat(StrEnum):
    ICPC = "icpc"
    IOI = "ioi"
    OI = "oi"

    @property
    def tells_verdicts_live(self) -> bool:
        """In an OI game contestants learn their results after the end."""
        match self:
            case GameFormat.ICPC | GameFormat.IOI:
                return True
            case GameFormat.OI:
                return False


@dataclass(frozen=True, slots=True, kw_only=True)
class LogEntry:
    """The head of one submission chain as a scoring policy sees it. No verdict means undecided."""

    origin_id: SubmissionId
    account_id: AccountId
    question_id: QuestionId
    submitted_at: datetime
    verdict: Verdict | None
    score: Score
    groups: tuple[GroupScore, ...]

    def __post_init__(self) -> None:
        require_utc(self.submitted_at)


BoardT_co = TypeVar("BoardT_co", covariant=True)


class ScoringPolicy(Protocol[BoardT_co]):
    """Live board and full recompute both call this, so they cannot differ."""

    def board(self, schedule: Schedule, log: Sequence[LogEntry], at: datetime) -> BoardT_co: ...
