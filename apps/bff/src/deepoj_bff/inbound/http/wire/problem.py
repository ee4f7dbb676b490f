"""Problems as people read them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Body, Id, Milliseconds, PageInfo, Wire


class Level(StrEnum):
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


Slug = Annotated[str, Meta(max_length=64, examples=["two-sum"])]
Bytes = Annotated[int, Meta(ge=0, le=2**40, examples=[268435456])]
Tag = Annotated[str, Meta(min_length=1, max_length=64, examples=["graphs"])]
LanguageSlug = Annotated[str, Meta(min_length=1, max_length=32, examples=["cpp17"])]


class Statement(Body, frozen=True, kw_only=True):
    locale: Annotated[str, Meta(min_length=1, max_length=35, description="BCP 47.", examples=["en"])]
    title: Annotated[str, Meta(min_length=1, max_length=200, examples=["Two sum"])]
    markdown: Annotated[str, Meta(description="Markdown with math; images are named as in `assets`.")]


class Sample(Body, frozen=True, kw_only=True):
    input: str
    output: str
    note: str = ""


class ObjectRef(Body, frozen=True, kw_only=True):
    """A stored file, named by what it contains."""

    sha256: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    size: Bytes


class Asset(Body, frozen=True, kw_only=True):
    """A file shown beside the statement: `GET /api/problems/{problem}/assets/{name}`."""

    name: Annotated[str, Meta(min_length=1, max_length=200, examples=["tree.png"])]
    content_type: Annotated[str, Meta(max_length=200, examples=["image/png"])]
    object: ObjectRef


class LanguageLimits(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    time: Milliseconds | None = None
    memory_bytes: Bytes | None = None


class Limits(Body, frozen=True, kw_only=True):
    time: Milliseconds | None = None
    memory_bytes: Bytes | None = None
    output_bytes: Bytes | None = None
    stack_bytes: Bytes | None = None
    processes: Annotated[int, Meta(ge=0, le=10_000)] | None = None
    source_bytes: Bytes | None = None
    per_language: list[LanguageLimits] = msgspec.field(default_factory=list)


class ProblemSummary(Wire, frozen=True, kw_only=True):
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


class ProblemAnswer(Wire, frozen=True, kw_only=True):
    question: Problem


class Problems(Wire, frozen=True, kw_only=True):
    questions: list[ProblemSummary] = msgspec.field(name="items")
    page: PageInfo


class ProblemRevision(Wire, frozen=True, kw_only=True):
    number: int
    made_by: str
    made_at: datetime | None
    judge_hash: Annotated[str, Meta(description="Changes when anything that can change a verdict changes.")]


class ProblemRevisions(Wire, frozen=True, kw_only=True):
    revisions: list[ProblemRevision] = msgspec.field(name="items")


class ImportStage(StrEnum):
    RECEIVING = "receiving"
    READING = "reading"
    STORING = "storing"


class ArchiveFormat(StrEnum):
    ZIP = "zip"
    TAR = "tar"


class ScoringDialect(StrEnum):
    KATTIS = "kattis"
    DOMJUDGE = "domjudge"


class ImportProgress(Wire, frozen=True, kw_only=True):
    stage: ImportStage
    done: int
    total: int


class ImportDone(Wire, frozen=True, kw_only=True):
    question: Problem
    objects_uploaded: int
    objects_already_there: int
    warnings: list[str]


class ImportEvent(Wire, frozen=True, kw_only=True):
    progress: ImportProgress | None
    done: ImportDone | None


class Chunk(Wire, frozen=True, kw_only=True):
    chunk: bytes


class StoredObject(Wire, frozen=True, kw_only=True):
    object: ObjectRef


class AssetPart(Wire, frozen=True, kw_only=True):
    header: Asset | None
    chunk: bytes | None
