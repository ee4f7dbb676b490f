"""Problems as people read them, their revisions, packages."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import Body, Id, PageInfo, View
from deepoj_bff.queries.views.language import LanguageSlug
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.listing import Level

Slug = Annotated[str, Meta(max_length=64, examples=["two-sum"])]
Bytes = Annotated[int, Meta(ge=0, le=256 * 1024**2, examples=[1048576])]
Memory = Annotated[int, Meta(ge=0, le=64 * 1024**3, description="At least 1 MiB.", examples=[268435456])]
Time = Annotated[int, Meta(ge=0, le=10 * 60 * 1000, description="Milliseconds.", examples=[1000])]
Text = Annotated[str, Meta(max_length=64 * 1024, description="At most 64 KiB.")]


class TextFormat(StrEnum):
    MARKDOWN = "markdown"
    TEX = "tex"


class Statement(Body, frozen=True, kw_only=True):
    locale: Annotated[str, Meta(min_length=2, max_length=44, description="BCP 47.", examples=["en"])]
    title: Annotated[str, Meta(min_length=1, max_length=200, examples=["Two sum"])]
    markdown: Annotated[
        str,
        Meta(
            max_length=256 * 1024,
            description="The text in its format, at most 256 KiB; images are named as in `assets`.",
        ),
    ]
    format: TextFormat = TextFormat.MARKDOWN
    pdf: Annotated[str, Meta(max_length=100, description="The asset that holds it printed.")] = ""


class Sample(Body, frozen=True, kw_only=True):
    input: Text
    output: Text
    note: Text = ""


class ObjectRef(Body, frozen=True, kw_only=True):
    """A stored file, named by what it contains."""

    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    size: Bytes


class Asset(Body, frozen=True, kw_only=True):
    """A file shown beside the statement: `GET /api/problems/{problem}/assets/{name}`."""

    name: Annotated[str, Meta(min_length=1, max_length=100, examples=["tree.png"])]
    content_type: Annotated[str, Meta(max_length=200, examples=["image/png"])]
    object: ObjectRef


class LanguageLimits(Body, frozen=True, kw_only=True):
    """0 keeps the common limit."""

    language: LanguageSlug
    time: Time | None = None
    memory_bytes: Memory | None = None


class ProblemLimits(Body, frozen=True, kw_only=True):
    time: Time | None = None
    memory_bytes: Memory | None = None
    output_bytes: Bytes | None = None
    stack_bytes: Memory | None = None
    processes: Annotated[int, Meta(ge=0, le=1024)] | None = None
    source_bytes: Annotated[int, Meta(ge=0, le=1024**2)] | None = None
    per_language: Annotated[list[LanguageLimits], Meta(max_length=100)] = msgspec.field(default_factory=list)


class ProblemHead(View, frozen=True, kw_only=True):
    id: Id
    slug: Slug
    title: Annotated[str, Meta(examples=["Two sum"])]
    level: Level | None
    tags: list[str]
    enabled: Annotated[bool, Meta(description="Published.")]
    revision: int
    updated_at: datetime | None
    owner_id: str


class LocalTitle(View, frozen=True, kw_only=True):
    locale: str
    title: str


class ListedProblem(ProblemHead, frozen=True, kw_only=True):
    """As question lists it."""

    titles: list[LocalTitle]


class Mark(StrEnum):
    SOLVED = "solved"
    TRIED = "tried"


class ProblemSummary(ProblemHead, frozen=True, kw_only=True):
    locales: list[str]
    titles: Annotated[dict[str, str], Meta(description="By locale.")]
    attempted: Annotated[int | None, Meta(description="People. Null: not known now.")]
    accepted: Annotated[int | None, Meta(description="People.")]
    mine: Annotated[
        Mark | None,
        Meta(description="What the caller has done, without contests that are running or frozen."),
    ]


class Problem(ProblemHead, frozen=True, kw_only=True):
    statements: list[Statement]
    samples: list[Sample]
    limits: ProblemLimits | None
    languages: Annotated[list[str], Meta(description="Empty: all.")]
    assets: list[Asset]
    created_at: datetime | None
    version: Annotated[
        int, Meta(description="Give it back with a change: it fails when it is not the newest.")
    ]


class StatementFormat(StrEnum):
    MARKDOWN = "markdown"
    TEX = "tex"
    PDF = "pdf"


class ProblemStatement(View, frozen=True, kw_only=True):
    """Ready to be shown. Samples are not in it: they are in the problem."""

    locale: str
    locales: Annotated[list[str], Meta(description="All there are.")]
    title: str
    html: Annotated[
        str,
        Meta(description="Sanitised, with MathML. Images are assets of the problem; nothing else is loaded."),
    ]
    pdf: Annotated[str | None, Meta(description="The asset that holds it printed.")]
    format: Annotated[StatementFormat, Meta(description="`pdf`: there is no text.")]


class StatementAnswer(View, frozen=True, kw_only=True):
    question_id: str
    slug: str
    statement: Statement
    locales: list[str]
    html: Annotated[str, Meta(description="The name of an asset stands between U+FDD0 and U+FDD1.")]


class ProblemAnswer(View, frozen=True, kw_only=True):
    question: Problem


class ListedProblems(View, frozen=True, kw_only=True):
    questions: list[ListedProblem]
    page: PageInfo


class Problems(View, frozen=True, kw_only=True):
    items: list[ProblemSummary]
    page: PageInfo


class TagCount(View, frozen=True, kw_only=True):
    tag: str
    count: Annotated[int, Meta(description="Published problems that have it.")]


class ProblemTags(View, frozen=True, kw_only=True):
    tags: list[TagCount] = msgspec.field(name="items")


class RevisionPart(StrEnum):
    STATEMENT = "statement"
    TESTS = "tests"
    CHECKER = "checker"
    LIMITS = "limits"
    LANGUAGES = "languages"
    EXTRAS = "extras"


class ProblemRevision(View, frozen=True, kw_only=True):
    number: int
    made_by: str
    made_at: datetime | None
    judge_hash: Annotated[str, Meta(description="Changes when anything that can change a verdict changes.")]
    changes: Annotated[list[RevisionPart], Meta(description="What differs from the revision before.")]
    outdated_submissions: Annotated[
        int | None,
        Meta(
            description="Judged by this revision, while the newest one has another judge hash. "
            "Null: nobody can count them now."
        ),
    ] = None


class ProblemRevisions(View, frozen=True, kw_only=True):
    revisions: list[ProblemRevision] = msgspec.field(name="items")


class ImportStage(StrEnum):
    RECEIVING = "receiving"
    READING = "reading"
    STORING = "storing"


class ImportProgress(View, frozen=True, kw_only=True):
    stage: ImportStage
    done: int
    total: int


class MessageLevel(StrEnum):
    INFO = "info"
    WARNING = "warning"
    DANGER = "danger"


class ImportMessage(View, frozen=True, kw_only=True):
    """What was taken but may surprise."""

    level: Annotated[
        MessageLevel,
        Meta(description="What people see changes; it may be meant in another way; verdicts change."),
    ]
    file: Annotated[str, Meta(description="Inside the package. Empty: the package as a whole.")]
    text: str


class ImportedProblem(View, frozen=True, kw_only=True):
    id: Id
    slug: str
    title: str
    revision: int


class LeftOutProblem(View, frozen=True, kw_only=True):
    name: Annotated[str, Meta(description="Its title, or what the archive calls it.")]
    code: str
    message: str


class ImportDone(View, frozen=True, kw_only=True):
    question: Annotated[
        Problem, Meta(description="After a dry run: as it would be. Of several problems the first.")
    ]
    objects_uploaded: int
    objects_already_there: int
    warnings: Annotated[list[str], Meta(description="The texts of `messages`.")]
    messages: list[ImportMessage]
    format: Annotated[str, Meta(description="Of the package.", examples=["2025-09", "fps"])]
    problems: Annotated[list[ImportedProblem], Meta(description="All that were taken.")]
    left_out: Annotated[
        list[LeftOutProblem], Meta(description="Problems of an archive of several that were refused.")
    ]


class ImportEvent(View, frozen=True, kw_only=True):
    progress: ImportProgress | None
    done: ImportDone | None


class VerifyStep(StrEnum):
    PACKAGE = "package"
    INPUTS = "inputs"
    SOLUTION = "solution"


class VerifyProgress(View, frozen=True, kw_only=True):
    step: VerifyStep
    done: int
    total: int
    solution: str | None
    case_name: Annotated[str | None, Meta(description="The first case that the solution did not pass.")]
    verdict: Annotated[Verdict | None, Meta(description="Null until the solution is judged.")]
    expected: str | None
    ok: Annotated[bool | None, Meta(description="Whether the solution did what was expected.")]
    message: str | None


class VerifySeverity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


class VerifyFinding(View, frozen=True, kw_only=True):
    severity: VerifySeverity
    about: str
    message: str


class VerifyTimeLimit(View, frozen=True, kw_only=True):
    """In the time of a language whose factor is 1."""

    current_ms: int | None
    suggested_ms: int
    slowest_ms: int
    slowest: str


class VerifyDone(View, frozen=True, kw_only=True):
    ok: bool
    findings: list[VerifyFinding]
    time_limit: Annotated[
        VerifyTimeLimit | None, Meta(description="Null when no solution says what it should be.")
    ]


class VerifyEvent(View, frozen=True, kw_only=True):
    progress: VerifyProgress | None
    done: VerifyDone | None


class Chunk(View, frozen=True, kw_only=True):
    chunk: bytes


class StoredObject(View, frozen=True, kw_only=True):
    object: ObjectRef


class AssetPart(View, frozen=True, kw_only=True):
    header: Asset | None
    chunk: bytes | None
