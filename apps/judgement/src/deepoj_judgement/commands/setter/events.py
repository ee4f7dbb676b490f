"""What the setter is told, as it happens. Each is one line of JSON on the wire."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The package was read and understood."""

    short_name: str
    title: str
    format: str
    scoring: bool
    interactive: bool
    cases: int
    submissions: int
    time_limit_ms: int | None


@dataclass(frozen=True, slots=True)
class Working:
    """For a progress bar: something is under way. `total` is 0 where nobody knows."""

    on: str
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Finding:
    severity: Severity
    about: str
    message: str


@dataclass(frozen=True, slots=True)
class Note:
    """Nothing is wrong with it; a setter may want to know."""

    about: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRow:
    name: str
    verdict: str
    """Empty: skipped."""
    time_ms: int = 0
    memory_kib: int = 0
    message: str = ""
    """The first difference, or what the output validator said."""
    exit_code: int = 0
    signal: int = 0
    stderr: str = ""
    """The end of what a program that crashed had to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupRow:
    name: str
    score: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionJudged:
    name: str
    language: str
    verdict: str
    score: str
    full_score: str
    time_ms: int
    time_limit_ms: int
    memory_kib: int
    cases: tuple[CaseRow, ...]
    groups: tuple[GroupRow, ...]
    message: str = ""
    """Why it did not compile, or could not be judged."""
    expected: str = ""
    problems: tuple[str, ...] = ()
    """How it differs from what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeLimit:
    """In the time of a language whose factor is 1."""

    current_ms: int | None
    suggested_ms: int
    slowest_ms: int
    slowest: str
    used_ms: int = 0
    """What the submissions that may be too slow are judged by."""
    room_factor: str = "1"
    """How many times the slowest that must be in time should fit into the limit."""
    clear_factor: str = "1"
    """How many times the limit one that must be too slow should need."""


@dataclass(frozen=True, slots=True)
class CatchRow:
    """A submission that is not right everywhere, and the tests that show it."""

    submission: str
    caught_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    catches: tuple[CatchRow, ...]
    catching_nobody: tuple[str, ...]
    """Tests that no submission of the package needs to be caught."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantJudged:
    """A small change to an accepted submission, and whether the tests notice it."""

    of: str
    line: int
    change: str
    verdict: str
    survived: bool
    caught_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    dearest: str
    """The submission that must be right and needs most; empty: none was judged."""
    judging_ms: int
    """What it needs on all tests, in CPU time."""
    verifying_ms: int
    """What all runs of submissions needed together, in CPU time."""
    seconds: float
    cases: int
    data_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRow:
    slug: str
    name: str
    version: str
    """Empty when it is not installed."""
    package: str
    time_percent: int
    memory_percent: int
    suffixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Languages:
    languages: tuple[LanguageRow, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """`ok` decides the exit code."""

    ok: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing follows. `reason` is for programs, the message is one sentence."""

    reason: str
    message: str


Event = (
    Opened
    | Working
    | Finding
    | Note
    | SolutionJudged
    | TimeLimit
    | Strength
    | MutantJudged
    | Cost
    | Languages
    | Finished
    | Failed
)
