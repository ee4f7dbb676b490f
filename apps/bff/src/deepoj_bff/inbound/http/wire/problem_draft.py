"""Problems as setters write them, judging included."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.inbound.http.wire.base import Body, Points
from deepoj_bff.inbound.http.wire.problem import (
    Asset,
    LanguageSlug,
    Level,
    Limits,
    ObjectRef,
    Sample,
    Slug,
    Statement,
    Tag,
)

Name = Annotated[str, Meta(min_length=1, max_length=200)]


class GroupScoring(StrEnum):
    MIN = "min"
    SUM = "sum"
    ALL = "all"


class BuiltinMode(StrEnum):
    EXACT = "exact"
    LINES = "lines"
    TOKENS = "tokens"
    ICPC = "icpc"


class CheckerConvention(StrEnum):
    ICPC = "icpc"
    TESTLIB = "testlib"


class CheckerArguments(Body, frozen=True, kw_only=True):
    words: list[str]


class Case(Body, frozen=True, kw_only=True):
    name: Name
    input: ObjectRef
    answer: ObjectRef
    group: Annotated[str, Meta(max_length=200, description="Empty when there are no groups.")] = ""
    points: Points | None = None
    sample: bool = False
    reject_points: Points | None = None
    checker_arguments: CheckerArguments | None = None


class Group(Body, frozen=True, kw_only=True):
    name: Name
    scoring: GroupScoring
    points: Points | None = None
    depends_on: list[str] = msgspec.field(default_factory=list)
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
    name: Name
    object: ObjectRef


class CheckerProgram(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    sources: list[NamedObject]
    arguments: list[str] = msgspec.field(default_factory=list)
    convention: CheckerConvention
    interactive: bool = False
    scores: bool = False
    limits: Limits | None = None


class Checker(Body, frozen=True, kw_only=True):
    """One of both."""

    builtin: BuiltinChecker | None = None
    program: CheckerProgram | None = None


class JudgeSpec(Body, frozen=True, kw_only=True):
    cases: Annotated[list[Case], Meta(max_length=2000)]
    groups: Annotated[list[Group], Meta(max_length=200)] = msgspec.field(default_factory=list)
    checker: Checker
    stop_at_first_failure: bool = True


class ProblemDraft(Body, frozen=True, kw_only=True):
    """What an update leaves out of `limits` and `judging` stays as it is; all the rest is replaced."""

    slug: Slug
    level: Level | None = None
    tags: Annotated[list[Tag], Meta(max_length=32)] = msgspec.field(default_factory=list)
    statements: Annotated[list[Statement], Meta(min_length=1, max_length=32)]
    samples: Annotated[list[Sample], Meta(max_length=32)] = msgspec.field(default_factory=list)
    limits: Limits | None = None
    languages: Annotated[list[LanguageSlug], Meta(max_length=64)] = msgspec.field(default_factory=list)
    judging: JudgeSpec | None = None
    assets: Annotated[list[Asset], Meta(max_length=200)] = msgspec.field(default_factory=list)


class ProblemEdit(Body, frozen=True, kw_only=True):
    version: Annotated[int, Meta(ge=0, description="Of the problem as it was read.")]
    draft: ProblemDraft


class Publication(Body, frozen=True, kw_only=True):
    enabled: Annotated[bool, Meta(description="False hides it again.")]
