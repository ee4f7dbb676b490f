"""What judging one submission produced. A bad verdict is an ordinary value here."""

from dataclasses import dataclass

from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Score, Share
from deepoj_domain.kernel.verdict import Verdict

_MESSAGE_CHARACTERS = 4000
_SCORING_VERDICTS = frozenset({Verdict.ACCEPTED, Verdict.WRONG_ANSWER})


@dataclass(frozen=True, slots=True)
class Usage:
    time_ms: int = 0
    memory_kib: int = 0


@dataclass(frozen=True, slots=True)
class CaseResult:
    """`verdict` None means skipped: an earlier case had already decided."""

    case: str
    verdict: Verdict | None
    share: Share = NOTHING
    usage: Usage = Usage()
    exit_code: int = 0
    signal: int = 0
    message: str = ""
    """What the checker said; for setters and judges."""
    points: Score | None = None
    """What a checker that scores gave, exactly; None: the share counts."""

    def __post_init__(self) -> None:
        earns = self.share > NOTHING or (self.points is not None and self.points > ZERO)
        if earns and self.verdict not in _SCORING_VERDICTS:
            raise BrokenInvariantError(f"a case that is {self.verdict or 'skipped'} cannot earn points")
        if self.verdict is Verdict.COMPILE_ERROR:
            raise BrokenInvariantError("a compile error belongs to the submission, not to a case")

    @classmethod
    def accepted(cls, case: str, usage: Usage | None = None) -> "CaseResult":
        return cls(case, Verdict.ACCEPTED, EVERYTHING, usage or Usage())

    @classmethod
    def failed(cls, case: str, verdict: Verdict, usage: Usage | None = None) -> "CaseResult":
        return cls(case, verdict, NOTHING, usage or Usage())

    @classmethod
    def skipped(cls, case: str) -> "CaseResult":
        return cls(case, None)

    @property
    def passed(self) -> bool:
        return self.verdict is Verdict.ACCEPTED


@dataclass(frozen=True, slots=True)
class GroupScore:
    """What one subtask earned. Kept apart because some formats add up the best of each subtask."""

    group: str
    score: Score


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """Usage is the largest over all cases, as contestants expect to see it."""

    verdict: Verdict
    groups: tuple[GroupScore, ...] = ()
    usage: Usage = Usage()
    cases: tuple[CaseResult, ...] = ()
    message: str = ""
    """The head of a compile or system error; the whole log is in the object store."""
    log_prefix: str = ""
    """Names the kept logs in the object store; empty when nothing was kept."""

    @classmethod
    def compile_error(cls, message: str) -> "JudgeResult":
        return cls(Verdict.COMPILE_ERROR, message=message[:_MESSAGE_CHARACTERS])

    @classmethod
    def system_error(cls, message: str) -> "JudgeResult":
        return cls(Verdict.SYSTEM_ERROR, message=message[:_MESSAGE_CHARACTERS])

    @property
    def score(self) -> Score:
        return Score.total(group.score for group in self.groups)

    @property
    def passed_cases(self) -> int:
        return sum(case.passed for case in self.cases)
