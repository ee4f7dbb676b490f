"""As much of the API's answers as the commands show; what else an answer holds is passed over."""

from __future__ import annotations

from datetime import datetime

import msgspec


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    pass


class Nothing(Wire, frozen=True):
    """An answer without content."""


class FieldError(Wire, frozen=True):
    field: str = ""
    message: str = ""


class Problem(Wire, frozen=True):
    """RFC 9457: a refusal."""

    title: str = ""
    status: int = 0
    detail: str = ""
    reason: str = ""
    request_id: str = ""
    errors: tuple[FieldError, ...] = ()


class User(Wire, frozen=True):
    id: str
    name: str
    display_name: str
    role: str
    email: str | None = None


class Tokens(Wire, frozen=True):
    access_token: str
    access_expires_at: datetime
    refresh_token: str


class Session(Wire, frozen=True):
    user: User
    tokens: Tokens


class PageInfo(Wire, frozen=True):
    next_cursor: str | None = None


class Language(Wire, frozen=True):
    slug: str
    name: str
    available: bool


class Languages(Wire, frozen=True):
    items: tuple[Language, ...]


class ProblemSummary(Wire, frozen=True):
    id: str
    slug: str
    title: str
    level: str | None = None
    tags: tuple[str, ...] = ()
    enabled: bool = True
    revision: int = 0


class ProblemPage(Wire, frozen=True):
    items: tuple[ProblemSummary, ...]
    page: PageInfo


class Statement(Wire, frozen=True):
    locale: str
    title: str
    markdown: str


class Sample(Wire, frozen=True):
    input: str
    output: str
    note: str = ""


class ProblemDetail(ProblemSummary, frozen=True):
    statements: tuple[Statement, ...] = ()
    samples: tuple[Sample, ...] = ()
    languages: tuple[str, ...] = ()


class CaseResult(Wire, frozen=True):
    number: int
    name: str
    verdict: str | None = None
    time_ms: int = 0
    memory_bytes: int = 0
    message: str = ""


class Result(Wire, frozen=True):
    verdict: str
    score: float
    time_ms: int
    memory_bytes: int
    cases: tuple[CaseResult, ...] = ()
    compile_output: str = ""


class Submission(Wire, frozen=True):
    id: str
    problem_id: str
    language: str
    status: str
    contest_id: str | None = None
    result: Result | None = None
    submitted_at: datetime | None = None
    reason: str | None = None

    @property
    def is_over(self) -> bool:
        return self.status in {"finished", "dead", "cancelled"}


class SubmissionDetail(Wire, frozen=True):
    submission: Submission


class SubmissionPage(Wire, frozen=True):
    items: tuple[Submission, ...]
    page: PageInfo


class Submitted(Wire, frozen=True):
    submission_id: str
    repeated: bool


class ImportProgress(Wire, frozen=True):
    stage: str
    done: int
    total: int


class ImportedProblem(Wire, frozen=True):
    id: str
    slug: str
    title: str
    revision: int


class LeftOutProblem(Wire, frozen=True):
    name: str
    code: str
    message: str


class ImportDone(Wire, frozen=True):
    problem: ProblemSummary
    objects_uploaded: int = 0
    objects_already_there: int = 0
    warnings: tuple[str, ...] = ()
    format: str = ""
    problems: tuple[ImportedProblem, ...] = ()
    left_out: tuple[LeftOutProblem, ...] = ()


class ImportEvent(Wire, frozen=True):
    progress: ImportProgress | None = None
    done: ImportDone | None = None
    error: Problem | None = None


class Schedule(Wire, frozen=True):
    starts_at: datetime
    ends_at: datetime


class Contest(Wire, frozen=True):
    id: str
    title: str
    format: str
    phase: str
    schedule: Schedule
    participants: int = 0


class ContestPage(Wire, frozen=True):
    items: tuple[Contest, ...]
    page: PageInfo


class Participant(Wire, frozen=True):
    user_id: str
    display_name: str


class Cell(Wire, frozen=True):
    label: str
    rejected: int = 0
    pending: int = 0
    solved: bool = False
    solved_after_ms: int | None = None
    first_to_solve: bool = False
    score: float = 0


class Row(Wire, frozen=True):
    rank: int
    participant: Participant
    solved: int = 0
    score: float = 0
    penalty_minutes: int = 0
    penalty_ms: int = 0
    cells: tuple[Cell, ...] = ()


class Board(Wire, frozen=True):
    items: tuple[Row, ...]
    page: PageInfo
    view: str | None = None
