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


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


Slug = Annotated[str, Meta(max_length=64, examples=["two-sum"])]
Bytes = Annotated[int, Meta(ge=0, le=256 * 1024**2, examples=[1048576])]
Memory = Annotated[int, Meta(ge=0, le=64 * 1024**3, description="At least 1 MiB.", examples=[268435456])]
Time = Annotated[int, Meta(ge=0, le=10 * 60 * 1000, description="Milliseconds.", examples=[1000])]
Text = Annotated[str, Meta(max_length=64 * 1024, description="At most 64 KiB.")]


class Statement(Body, frozen=True, kw_only=True):
    locale: Annotated[str, Meta(min_length=2, max_length=44, description="BCP 47.", examples=["en"])]
    title: Annotated[str, Meta(min_length=1, max_length=200, examples=["Two sum"])]
    markdown: Annotated[
        str,
        Meta(
            max_length=256 * 1024,
            description="Markdown with math, at most 256 KiB; images are named as in `assets`.",
        ),
    ]


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


class Limits(Body, frozen=True, kw_only=True):
    time: Time | None = None
    memory_bytes: Memory | None = None
    output_bytes: Bytes | None = None
    stack_bytes: Memory | None = None
    processes: Annotated[int, Meta(ge=0, le=1024)] | None = None
    source_bytes: Annotated[int, Meta(ge=0, le=1024**2)] | None = None
    per_language: Annotated[list[LanguageLimits], Meta(max_length=100)] = msgspec.field(default_factory=list)


class ProblemSummary(View, frozen=True, kw_only=True):
    id: Id
    slug: Slug
    title: Annotated[str, Meta(examples=["Two sum"])]
    level: Level | None
    tags: list[str]
    enabled: Annotated[bool, Meta(description="Published.")]
    revision: int
    updated_at: datetime | None


class Problem(ProblemSummary, frozen=True, kw_only=True):
    owner_id: str
    statements: list[Statement]
    samples: list[Sample]
    limits: Limits | None
    languages: Annotated[list[str], Meta(description="Empty: all.")]
    assets: list[Asset]
    created_at: datetime | None
    version: Annotated[
        int, Meta(description="Give it back with a change: it fails when it is not the newest.")
    ]


class ProblemAnswer(View, frozen=True, kw_only=True):
    question: Problem


class Problems(View, frozen=True, kw_only=True):
    questions: list[ProblemSummary] = msgspec.field(name="items")
    page: PageInfo


class ProblemRevision(View, frozen=True, kw_only=True):
    number: int
    made_by: str
    made_at: datetime | None
    judge_hash: Annotated[str, Meta(description="Changes when anything that can change a verdict changes.")]


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


class ImportDone(View, frozen=True, kw_only=True):
    question: Problem
    objects_uploaded: int
    objects_already_there: int
    warnings: list[str]


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
