"""Problems as setters write them, judging included."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from deepoj_bff.queries.views.base import Body, View
from deepoj_bff.queries.views.language import LanguageSlug
from deepoj_bff.queries.views.problem import (
    Asset,
    Bytes,
    Level,
    Limits,
    Memory,
    ObjectRef,
    Sample,
    Slug,
    Statement,
    Time,
)

Tag = Annotated[str, Meta(min_length=1, max_length=40, examples=["graphs"])]


class ArchiveFormat(StrEnum):
    ZIP = "zip"
    TAR = "tar"


class ScoringDialect(StrEnum):
    KATTIS = "kattis"
    DOMJUDGE = "domjudge"


Name = Annotated[str, Meta(min_length=1, max_length=100, description="At most 100 bytes.")]
Points = Annotated[float, Meta(ge=0, le=1e9, description="Points, to a millionth.", examples=[100.0])]
# All of them together have at most 200 bytes.
Arguments = Annotated[list[str], Meta(max_length=200)]


class GroupScoring(StrEnum):
    MIN = "min"
    SUM = "sum"
    ALL = "all"
    MAX = "max"


class BuiltinMode(StrEnum):
    EXACT = "exact"
    LINES = "lines"
    TOKENS = "tokens"
    ICPC = "icpc"


class CheckerConvention(StrEnum):
    ICPC = "icpc"
    TESTLIB = "testlib"


class CheckerArguments(Body, frozen=True, kw_only=True):
    words: Arguments


class Case(Body, frozen=True, kw_only=True):
    name: Name
    input: ObjectRef
    answer: ObjectRef
    group: Annotated[str, Meta(max_length=100, description="Empty when there are no groups.")] = ""
    points: Points | None = None
    sample: bool = False
    reject_points: Points | None = None
    checker_arguments: CheckerArguments | None = None


class Group(Body, frozen=True, kw_only=True):
    name: Name
    scoring: GroupScoring
    points: Points | None = None
    depends_on: Annotated[list[Name], Meta(max_length=100)] = msgspec.field(default_factory=list)
    break_on_reject: bool = False
    unbounded: bool = False


class BuiltinChecker(Body, frozen=True, kw_only=True):
    mode: BuiltinMode
    ignore_trailing_space: bool = False
    collapse_spaces: bool = False
    ignore_case: bool = False
    normalise_unicode: bool = False
    absolute_tolerance: Annotated[str, Meta(max_length=40, examples=["1e-6"])] = ""
    relative_tolerance: Annotated[str, Meta(max_length=40)] = ""
    space_change_sensitive: bool = False


class NamedObject(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    object: ObjectRef


class CheckerLimits(Body, frozen=True, kw_only=True):
    time: Time
    memory_bytes: Memory
    output_bytes: Bytes | None = None


class CheckerProgram(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    sources: Annotated[list[NamedObject], Meta(min_length=1, max_length=50)]
    arguments: Arguments = msgspec.field(default_factory=list)
    convention: CheckerConvention
    interactive: bool = False
    scores: bool = False
    limits: CheckerLimits | None = None


class Checker(Body, frozen=True, kw_only=True):
    """One of both."""

    builtin: BuiltinChecker | None = None
    program: CheckerProgram | None = None


class JudgeSpec(Body, frozen=True, kw_only=True):
    cases: Annotated[list[Case], Meta(min_length=1, max_length=5000)]
    groups: Annotated[list[Group], Meta(max_length=100)] = msgspec.field(default_factory=list)
    checker: Checker
    stop_at_first_failure: bool = True


class CaseFile(StrEnum):
    INPUT = "input"
    ANSWER = "answer"


class ProblemJudging(View, frozen=True, kw_only=True):
    """How a revision is judged, as a draft says it. Sizes of files are not told."""

    revision: int
    judge_hash: str
    judging: Annotated[JudgeSpec, Meta(description="Cases are numbered from 1 in this order.")]
    limits: Limits
    languages: Annotated[list[str], Meta(description="Empty: all.")]


class ProblemDraft(Body, frozen=True, kw_only=True):
    """What an update leaves out of `limits` and `judging` stays as it is; all the rest is replaced."""

    slug: Slug
    level: Level | None = None
    tags: Annotated[list[Tag], Meta(max_length=20)] = msgspec.field(default_factory=list)
    statements: Annotated[list[Statement], Meta(min_length=1, max_length=20)]
    samples: Annotated[list[Sample], Meta(max_length=20)] = msgspec.field(default_factory=list)
    limits: Limits | None = None
    languages: Annotated[list[LanguageSlug], Meta(max_length=100)] = msgspec.field(default_factory=list)
    judging: JudgeSpec | None = None
    assets: Annotated[list[Asset], Meta(max_length=100)] = msgspec.field(default_factory=list)


class ProblemEdit(Body, frozen=True, kw_only=True):
    version: Annotated[int, Meta(ge=0, description="Of the problem as it was read.")]
    draft: ProblemDraft


class TagNames(msgspec.Struct, frozen=True):
    names: list[str]


class ListingEdit(Body, frozen=True, kw_only=True):
    """What is left out stays."""

    version: Annotated[int, Meta(ge=0, description="Of the problem as it was read.")]
    slug: Slug | UnsetType = UNSET
    level: Level | UnsetType | None = UNSET
    tags: Annotated[list[Tag], Meta(max_length=20)] | UnsetType = UNSET

    def named(self) -> dict[str, object]:
        """Return the fields of the call; a level of null takes it away."""
        tags = UNSET if isinstance(self.tags, UnsetType) else TagNames(self.tags)
        return {
            "version": self.version,
            "slug": self.slug,
            "level": self.level,
            "without_level": self.level is None,
            "tags": tags,
        }


class Publication(Body, frozen=True, kw_only=True):
    enabled: Annotated[bool, Meta(description="False hides it again.")]
