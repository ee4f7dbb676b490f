"""One neutral description of a problem, whatever format it came in.

Paths are relative to `root`, the directory the package lies in; nothing here holds test data in memory.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path, PurePosixPath

from deepoj_domain.question.checker import Convention

SAMPLE = "sample"
SECRET = "secret"  # noqa: S105 — the name of a directory
FULL_SCORE = Decimal(100)
"""What a pass-fail problem is worth where points are asked for."""


class FormatVersion(StrEnum):
    LEGACY = "legacy"
    LEGACY_ICPC = "legacy-icpc"
    V2025_09 = "2025-09"
    FPS = "fps"
    QDUOJ = "qduoj"
    HYDRO = "hydro"
    POLYGON = "polygon"
    DMOJ = "dmoj"
    UOJ = "uoj"
    CMS = "cms"


class StatementFormat(StrEnum):
    MARKDOWN = "md"
    TEX = "tex"
    PDF = "pdf"
    HTML = "html"
    TEXT = "txt"


@dataclass(frozen=True, slots=True)
class Statement:
    language: str
    format: StatementFormat
    file: PurePosixPath


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    name: str
    email: str = ""
    orcid: str = ""
    kattis: str = ""


@dataclass(frozen=True, slots=True)
class Credit:
    role: str
    person: Person
    language: str = ""
    """Of a translator."""


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    uuid: str = ""
    version: str = ""
    credits: tuple[Credit, ...] = ()
    sources: tuple[Source, ...] = ()
    license: str = "unknown"
    rights_owner: str = ""
    embargo_until: str = ""
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemLimits:
    """None leaves a limit to the judge."""

    time_ms: int | None = None
    """None: to be derived from the example submissions with the factors below."""
    slowest_accepted_factor: Decimal = Decimal(2)
    fastest_rejected_factor: Decimal = Decimal("1.5")
    time_resolution_ms: int = 1000
    memory_mib: int | None = None
    output_mib: int | None = None
    code_kib: int | None = None
    compilation_time_s: int | None = None
    compilation_memory_mib: int | None = None
    validation_time_s: int | None = None
    validation_memory_mib: int | None = None
    validation_output_mib: int | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """`at` is its file or its directory, `files` are all it needs, `main` is where it starts."""

    name: str
    at: PurePosixPath
    language: str
    """A code of the format's table of languages (cpp, python3 …); `languages.slugs_of` gives ours."""
    main: PurePosixPath
    files: tuple[PurePosixPath, ...]


@dataclass(frozen=True, slots=True)
class DefaultValidator:
    """Compares tokens; each case carries its flags in `output_validator_args`."""


@dataclass(frozen=True, slots=True)
class LineValidator:
    """Compares lines; white space at their ends, and empty lines at the end, do not count."""


@dataclass(frozen=True, slots=True)
class Communication:
    """A manager talks with copies of a submission, over channels that it opens by name."""

    copies: int = 1
    by_name: bool = False
    """The copies open theirs by name too; else these are their standard streams."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputValidator:
    program: Program
    interactive: bool = False
    scores: bool = False
    """The validator may give points, not only accept and reject."""
    convention: Convention = Convention.ICPC
    checker: "OutputValidator | None" = None
    """Of an interactor: looks at what the interactor wrote, once that accepted."""
    passes: int = 1
    """How often a submission is run on a case at most: the validator asks for another run by nextpass.in."""
    communication: Communication | None = None
    """Makes an interactor a manager."""
    also: tuple[Program, ...] = ()
    """Further validators of the same kind: all must accept."""


Validator = DefaultValidator | LineValidator | OutputValidator


@dataclass(frozen=True, slots=True)
class FileNames:
    """Where a submission reads and writes, in its working directory; empty is the standard stream."""

    input: str = ""
    output: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedFiles:
    """What is put beside every submission before it is compiled, instead of files it has itself."""

    language: str = ""
    """A code of the format's table of languages; empty: for those that have no files of their own."""
    files: tuple[tuple[str, PurePosixPath], ...]
    """The name each has beside the submission, and where it lies in the package."""
    main: str = ""
    """The file the program begins in (a grader, a stub); empty: it begins in the submission."""
    source_name: str = ""
    """The name the submission has beside them, where they refer to it; empty: the one of its language."""
    before: str = ""
    """The file whose text stands before that of the submission, in one file with it; empty: none."""
    after: str = ""


@dataclass(frozen=True, slots=True)
class InputArgs:
    """What input validators are told about a case: all of them the same, or some by name."""

    everyone: tuple[str, ...] = ()
    by_name: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def for_validator(self, name: str) -> tuple[str, ...]:
        return dict(self.by_name).get(name, self.everyone)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """What a reader of the statement sees; `interaction` replaces the other two."""

    name: str
    input: PurePosixPath | None = None
    output: PurePosixPath | None = None
    interaction: PurePosixPath | None = None


class GroupScoring(StrEnum):
    PASS_FAIL = "pass-fail"  # noqa: S105 — a way to score
    """All points when every case is accepted, else none."""
    MIN = "min"
    """The worst case decides which share is earned; its share comes from the output validator."""
    SUM = "sum"
    """Each case earns its own points."""
    MAX = "max"
    """The best case decides which share is earned."""
    GRADED = "graded"
    """The grader of the package says what is earned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    name: str
    points: Decimal
    scoring: GroupScoring = GroupScoring.PASS_FAIL
    depends_on: tuple[str, ...] = ()
    breaks_on_reject: bool = False
    """The first case that is not accepted is the last one run; what follows earns nothing."""
    unbounded: bool = False
    """The output validator may give any number of points; `points` is 0."""
    lowered_by_dependencies: bool = False
    """It earns no larger share than any group it depends on; otherwise nothing unless all of these passed."""
    grader_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Groups, or bundles before it, that earn one score together."""

    name: str
    parts: tuple[str, ...]
    scoring: GroupScoring
    points: Decimal
    unbounded: bool = False
    breaks_on_reject: bool = False
    """What comes after the first part that is not accepted does not count."""
    grader_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    """The path below `data` without its extension: secret/subtask1/03-max."""
    group: str
    input: PurePosixPath
    answer: PurePosixPath | None
    """None only for an interactive problem."""
    points: Decimal = Decimal(0)
    """Counts in a SUM group only, where the points of all cases add up to the group's."""
    reject_points: Decimal = Decimal(0)
    """What it earns all the same when it is not accepted."""
    time_ms: int | None = None
    """The time limit of this case; None: the problem's."""
    memory_mib: int | None = None
    is_sample: bool = False
    arguments: tuple[str, ...] = ()
    """What a submission is called with."""
    files: tuple[tuple[str, PurePosixPath], ...] = ()
    """What lies in its working directory: the name there, and where it lies in the package."""
    output_validator_args: tuple[str, ...] = ()
    input_validator_args: InputArgs = InputArgs()
    description: str = ""
    hint: str = ""
    illustration: PurePosixPath | None = None
    full_feedback: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StaticCase:
    """A test of what was submitted, which is not run for it: the static validator decides it."""

    name: str
    """The path of its settings below `data`, with a name of its own in place of theirs."""
    group: str
    points: Decimal = Decimal(0)
    """As those of a case."""
    arguments: tuple[str, ...] = ()
    """For the static validator."""


class Outcome(StrEnum):
    """The verdicts an expectation may name."""

    AC = "AC"
    WA = "WA"
    TLE = "TLE"
    RTE = "RTE"
    OLE = "OLE"
    CE = "CE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What must hold for the cases a pattern matches; an empty pattern matches all of them."""

    cases: str = ""
    permitted: frozenset[Outcome] | None = None
    """Every case must have one of these; None permits all."""
    required: frozenset[Outcome] | None = None
    """Some case must have one of these; None requires nothing."""
    final: frozenset[Outcome] | None = None
    """The verdict of the whole submission must be one of these."""
    score: tuple[Decimal, Decimal] | None = None
    """Inclusive range of the score."""
    message: str = ""
    """Must appear in what the output validator said about some case."""
    bounds_time_limit: bool = True
    """False: its running times say nothing about the time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    name: str
    """The path below `submissions`: accepted/fast.cpp."""
    program: Program
    expectations: tuple[Expectation, ...]
    entrypoint: str = ""
    authors: tuple[Person, ...] = ()
    model_solution: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputExample:
    """An output that the output validator must accept, or must reject."""

    name: str
    input: PurePosixPath
    answer: PurePosixPath
    output: PurePosixPath
    valid: bool
    output_validator_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidInput:
    name: str
    input: PurePosixPath
    input_validator_args: InputArgs = InputArgs()


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidAnswer:
    """An answer that some answer validator must refuse."""

    name: str
    input: PurePosixPath
    answer: PurePosixPath
    output_validator_args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How a file is made that the package does not bring: a program of it prints the content."""

    file: PurePosixPath
    packed_as: PurePosixPath
    """Where the package itself would have it, below `source`."""
    program: Program
    arguments: tuple[str, ...] = ()
    input: PurePosixPath | None = None
    """What the program reads."""
    to_errors: bool = False
    """It prints to standard error, not to standard output."""
    writes: str = ""
    """The file it leaves with the content, in place of printing that; it may leave others too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSpec:
    root: Path = field(compare=False)
    short_name: str
    format: FormatVersion = field(compare=False)
    names: tuple[tuple[str, str], ...]
    """Language and title, sorted by language."""
    scoring: bool
    metadata: Metadata
    limits: ProblemLimits
    languages: tuple[str, ...] | None = None
    """Codes of the format's table; None allows every language."""
    statements: tuple[Statement, ...]
    images: tuple[PurePosixPath, ...] = ()
    attachments: tuple[PurePosixPath, ...] = ()
    samples: tuple[Sample, ...] = ()
    groups: tuple[Group, ...]
    bundles: tuple[Bundle, ...] = ()
    cases: tuple[Case, ...]
    """Group by group, in the one order they are judged in."""
    static_cases: tuple[StaticCase, ...] = ()
    """Each is judged before the cases of its group."""
    static_validator: Program | None = None
    grader: Program | None = None
    runs_all: bool = field(default=False, compare=False)
    """The setter wants every case judged even when the verdict is known; 2025-09 cannot say it."""
    validator: Validator
    file_names: FileNames | None = None
    """None: a submission uses the standard streams."""
    included: tuple[IncludedFiles, ...] = ()
    answers_submitted: bool = False
    """A submission is no program: it has the output for each case, in a file with the name of the case."""
    input_validators: tuple[Program, ...] = ()
    answer_validators: tuple[Program, ...] = ()
    """Look at the answers of the package, not at those of contestants."""
    submissions: tuple[Submission, ...] = ()
    output_examples: tuple[OutputExample, ...] = ()
    invalid_inputs: tuple[InvalidInput, ...] = ()
    invalid_answers: tuple[InvalidAnswer, ...] = ()
    recipes: tuple[Recipe, ...] = field(default=(), compare=False)
    """Files of cases and samples that are not there yet, in the order in which they can be made."""
    source: Path | None = field(default=None, compare=False)
    """The directory that was read, where it is not `root`."""
    warnings: tuple[str, ...] = field(default=(), compare=False)
    unused: tuple[PurePosixPath, ...] = field(default=(), compare=False)
    """Files nothing refers to."""

    @property
    def title(self) -> str:
        names = dict(self.names)
        return names.get("en") or next(iter(names.values()))

    @property
    def interactive(self) -> bool:
        return isinstance(self.validator, OutputValidator) and self.validator.interactive

    @property
    def passes(self) -> int:
        return self.validator.passes if isinstance(self.validator, OutputValidator) else 1

    @property
    def full_score(self) -> Decimal:
        bundled = {part for bundle in self.bundles for part in bundle.parts}
        every: tuple[Group | Bundle, ...] = (*self.groups, *self.bundles)
        return sum((each.points for each in every if each.name not in bundled), Decimal(0))

    def path(self, file: PurePosixPath) -> Path:
        return self.root / file
