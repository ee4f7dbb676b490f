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
    Memory,
    ObjectRef,
    ProblemLimits,
    Sample,
    Slug,
    Statement,
    Time,
)
from deepoj_domain.question.checker import BuiltinMode, Convention
from deepoj_domain.question.listing import Level
from deepoj_domain.question.suite import GroupScoring

Tag = Annotated[str, Meta(min_length=1, max_length=40, examples=["graphs"])]


class ArchiveFormat(StrEnum):
    ZIP = "zip"
    TAR = "tar"


class PackageFormat(StrEnum):
    V2025_09 = "2025-09"
    LEGACY = "legacy"
    POLYGON = "polygon"


class VerifyPart(StrEnum):
    VALIDATORS = "validators"
    ANSWERS = "answers"
    SUBMISSIONS = "submissions"
    STATEMENT = "statement"
    STRENGTH = "strength"


class ScoringDialect(StrEnum):
    KATTIS = "kattis"
    DOMJUDGE = "domjudge"


Name = Annotated[str, Meta(min_length=1, max_length=100, description="At most 100 bytes.")]
Points = Annotated[float, Meta(ge=0, le=1e9, description="Points, to a millionth.", examples=[100.0])]
# All of them together have at most 200 bytes.
Arguments = Annotated[list[str], Meta(max_length=200)]


FileName = Annotated[str, Meta(max_length=100)]


class CheckerArguments(Body, frozen=True, kw_only=True):
    words: Arguments


class NamedObject(Body, frozen=True, kw_only=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    object: ObjectRef


class Case(Body, frozen=True, kw_only=True):
    name: Name
    input: ObjectRef
    answer: ObjectRef
    group: Annotated[str, Meta(max_length=100, description="Empty when there are no groups.")] = ""
    points: Points | None = None
    sample: bool = False
    reject_points: Points | None = None
    checker_arguments: CheckerArguments | None = None
    time: Time | None = None
    memory_bytes: Memory | None = None
    arguments: Annotated[
        list[str],
        Meta(max_length=100, description="What a solution is called with; at most 2000 bytes together."),
    ] = msgspec.field(default_factory=list)
    files: Annotated[
        list[NamedObject], Meta(max_length=50, description="In the directory a solution starts in.")
    ] = msgspec.field(default_factory=list)
    of_source: Annotated[
        bool, Meta(description="The source checker decides it; input and answer mean nothing.")
    ] = False


class Group(Body, frozen=True, kw_only=True):
    name: Name
    scoring: GroupScoring
    points: Points | None = None
    depends_on: Annotated[list[Name], Meta(max_length=100)] = msgspec.field(default_factory=list)
    break_on_reject: bool = False
    unbounded: bool = False
    lowered_by_dependencies: bool = False
    grader_arguments: Arguments = msgspec.field(default_factory=list)


class Bundle(Body, frozen=True, kw_only=True):
    """Groups, or bundles before it, that earn one score together."""

    name: Name
    parts: Annotated[list[Name], Meta(min_length=1, max_length=100)]
    scoring: GroupScoring
    points: Points | None = None
    unbounded: bool = False
    breaks_on_reject: bool = False
    grader_arguments: Arguments = msgspec.field(default_factory=list)


class BuiltinChecker(Body, frozen=True, kw_only=True):
    mode: BuiltinMode
    ignore_trailing_space: bool = False
    collapse_spaces: bool = False
    ignore_case: bool = False
    normalise_unicode: bool = False
    absolute_tolerance: Annotated[str, Meta(max_length=40, examples=["1e-6"])] = ""
    relative_tolerance: Annotated[str, Meta(max_length=40)] = ""
    space_change_sensitive: bool = False


class CheckerLimits(Body, frozen=True, kw_only=True):
    time: Time
    memory_bytes: Memory
    output_bytes: Bytes | None = None


class Communication(Body, frozen=True, kw_only=True):
    """A manager talks with copies of a submission, over channels that it opens by name."""

    copies: Annotated[int, Meta(ge=1, le=10)] = 1
    by_name: Annotated[bool, Meta(description="The copies open theirs by name too.")] = False


class CheckerProgram(Body, frozen=True, kw_only=True):
    language: LanguageSlug
    sources: Annotated[list[NamedObject], Meta(min_length=1, max_length=50)]
    arguments: Arguments = msgspec.field(default_factory=list)
    convention: Convention
    interactive: bool = False
    scores: bool = False
    limits: CheckerLimits | None = None
    passes: Annotated[int, Meta(ge=0, le=100, description="0: once.")] = 0
    communication: Communication | None = None


class Checker(Body, frozen=True, kw_only=True):
    """`builtin` or `program`; `after` looks at what an interactor wrote."""

    builtin: BuiltinChecker | None = None
    program: CheckerProgram | None = None
    after: CheckerProgram | None = None
    also: Annotated[
        list[CheckerProgram], Meta(max_length=9, description="Who is right must be right for all.")
    ] = msgspec.field(default_factory=list)


class Grader(Body, frozen=True, kw_only=True):
    """Reads lines such as `AC 10`, one for each case or part, and prints one such line."""

    language: LanguageSlug
    sources: Annotated[list[NamedObject], Meta(min_length=1, max_length=50)]
    limits: CheckerLimits | None = None


class FileNames(Body, frozen=True, kw_only=True):
    """Empty is the standard stream."""

    input: FileName = ""
    output: FileName = ""


class IncludedFiles(Body, frozen=True, kw_only=True):
    """Put beside a submission before it is compiled."""

    languages: Annotated[list[LanguageSlug], Meta(max_length=100)] = msgspec.field(default_factory=list)
    files: Annotated[list[NamedObject], Meta(min_length=1, max_length=200)]
    main: Annotated[str, Meta(max_length=200)] = ""
    source_name: FileName = ""
    before: Annotated[
        str, Meta(max_length=200, description="The file whose text begins what is compiled.")
    ] = ""
    after: Annotated[str, Meta(max_length=200)] = ""


class SubmissionForm(Body, frozen=True, kw_only=True):
    file_names: FileNames | None = None
    included: Annotated[list[IncludedFiles], Meta(max_length=100)] = msgspec.field(default_factory=list)
    answers: bool = False


class JudgeSpec(Body, frozen=True, kw_only=True):
    cases: Annotated[list[Case], Meta(min_length=1, max_length=10_000)]
    groups: Annotated[list[Group], Meta(max_length=100)] = msgspec.field(default_factory=list)
    checker: Checker
    stop_at_first_failure: bool = True
    form: SubmissionForm | None = None
    bundles: Annotated[list[Bundle], Meta(max_length=100)] = msgspec.field(default_factory=list)
    grader: Grader | None = None
    source_checker: CheckerProgram | None = None


class CaseFile(StrEnum):
    INPUT = "input"
    ANSWER = "answer"


class ProblemJudging(View, frozen=True, kw_only=True):
    """How a revision is judged, as a draft says it. Sizes of files are not told."""

    revision: int
    judge_hash: str
    judging: Annotated[JudgeSpec, Meta(description="Cases are numbered from 1 in this order.")]
    limits: ProblemLimits
    languages: Annotated[list[str], Meta(description="Empty: all.")]


class ProblemDraft(Body, frozen=True, kw_only=True):
    """What an update leaves out of `limits` and `judging` stays as it is; all the rest is replaced."""

    slug: Slug
    level: Level | None = None
    tags: Annotated[list[Tag], Meta(max_length=20)] = msgspec.field(default_factory=list)
    statements: Annotated[list[Statement], Meta(min_length=1, max_length=20)]
    samples: Annotated[list[Sample], Meta(max_length=20)] = msgspec.field(default_factory=list)
    limits: ProblemLimits | None = None
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
