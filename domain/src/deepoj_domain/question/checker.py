"""How an answer is compared. One type a kind, so that each carries its own options and no others."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Final

from deepoj_domain.kernel.digest import LATER, ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.limits import Limits

_TOLERANCE = re.compile(r"(?=.{1,40}$)(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?")
_FILE_NAME = re.compile(r"(?=.{1,200}$)(?!-)[\w+.-][\w+. -]*(/[\w+. -]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactChecker:
    """Byte for byte, after line ends and a byte order mark are normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChecker:
    ignore_trailing_space: bool = True
    collapse_spaces: bool = False
    normalise_unicode: bool = False
    """Compare in the composed form (NFC), so that two ways to write é are one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenChecker:
    case_sensitive: bool = True
    normalise_unicode: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FloatChecker:
    """Tokens; numbers may differ by either epsilon. Decimal text, because 1e-9 has no exact float."""

    absolute: str = "0"
    relative: str = "0"

    def __post_init__(self) -> None:
        tolerance(self.absolute)
        tolerance(self.relative)


@dataclass(frozen=True, slots=True, kw_only=True)
class IcpcChecker:
    """The default output validator of the ICPC package format. Without a tolerance numbers are text."""

    case_sensitive: bool = False
    space_change_sensitive: bool = False
    absolute: str | None = None
    relative: str | None = None

    def __post_init__(self) -> None:
        for given in (self.absolute, self.relative):
            if given is not None:
                tolerance(given)

    @classmethod
    def parse(cls, flags: Sequence[str]) -> "IcpcChecker":
        """Read the flags as a package writes them; the last of two that contradict each other counts."""
        checker = cls()
        words = iter(flags)
        for flag in words:
            checker = checker._with(flag, words)
        return checker

    @property
    def flags(self) -> tuple[str, ...]:
        """What `parse` reads."""
        sensitive = {
            "case_sensitive": self.case_sensitive,
            "space_change_sensitive": self.space_change_sensitive,
        }
        return (
            *(flag for flag, is_set in sensitive.items() if is_set),
            *(("float_absolute_tolerance", self.absolute) if self.absolute else ()),
            *(("float_relative_tolerance", self.relative) if self.relative else ()),
        )

    def _with(self, flag: str, following: Iterator[str]) -> "IcpcChecker":
        match flag:
            case "case_sensitive":
                return replace(self, case_sensitive=True)
            case "space_change_sensitive":
                return replace(self, space_change_sensitive=True)
            case "float_absolute_tolerance":
                return replace(self, absolute=next(following, ""))
            case "float_relative_tolerance":
                return replace(self, relative=next(following, ""))
            case "float_tolerance":
                both = next(following, "")
                return replace(self, absolute=both, relative=both)
            case _:
                raise InvalidValueError("checker_flag", f"the default validator has no flag {flag!r}")


def tolerance(text: str) -> Decimal:
    if not _TOLERANCE.fullmatch(text):
        raise InvalidValueError("checker_tolerance", f"{text[:40]!r} is not a tolerance")
    return Decimal(text)


class Convention(StrEnum):
    """How a program checker is called and how it says what it found. Files, unless told otherwise."""

    ICPC = "icpc"
    """`input answer feedback_dir`, the output on standard input; exit 42 accepts, 43 rejects."""
    TESTLIB = "testlib"
    """`input output answer`; exit 0 accepts, 1 rejects, 2, 4 and 8 are presentation errors, 7 gives points.
    An interactor is called alike, and `output` is a file it may write for the checker after it."""
    HUSTOJ = "hustoj"
    """`input answer output`; exit 0 accepts, every other code rejects."""
    QDUOJ = "qduoj"
    """`input output`; exit 0 accepts, 1 rejects."""
    LEMON = "lemon"
    """`input output answer full_score score_file message_file`; the score file gets the points."""
    SYZOJ = "syzoj"
    """No arguments, the files are input, user_out, answer and code; points of 100 on standard output."""
    CMS = "cms"
    """`input answer output`; a share from 0.0 to 1.0 on standard output, a text on standard error."""
    DMOJ = "dmoj"
    """`input output answer`, an interactor `input answer`; exit 0 accepts, 1 rejects."""
    COCI = "coci"
    """As DMOJ, 2 is a presentation error, and exit 7 with the line `partial X/Y` on standard error gives
    that share."""
    PEG = "peg"
    """`answer output input`; exit 0 accepts, 1 rejects; two lines of numbers on standard output: a share."""
    UOJ = "uoj"
    """As testlib, but exit 7 with `points X` on standard error gives a share from 0 to 1, not points."""
    SOURCE = "source"
    """Looks at what was submitted, not at an output: `language entry_point feedback_dir`, started beside the
    files of the submission; ends as ICPC does."""


MOST_PASSES: Final = 100
MOST_COPIES: Final = 10
_TWICE: Final = 2
MOST_CHECKERS: Final = 10
_INTERACTIVE: Final = frozenset(
    {Convention.ICPC, Convention.TESTLIB, Convention.UOJ, Convention.DMOJ, Convention.COCI}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Communication:
    """A manager talks with copies of a submission: two channels a copy, whose names are its arguments."""

    copies: int = 1
    by_name: bool = False
    """The copies are given the names of their channels too; else these are their standard streams."""

    def __post_init__(self) -> None:
        if not 1 <= self.copies <= MOST_COPIES:
            raise InvalidValueError(
                "checker_copies", f"a manager talks with 1 to {MOST_COPIES} copies of a submission"
            )


@dataclass(frozen=True, slots=True)
class SourceFile:
    name: str
    content: ContentHash

    def __post_init__(self) -> None:
        if not _FILE_NAME.fullmatch(self.name) or ".." in self.name.split("/"):
            raise InvalidValueError("checker_file_name", f"{self.name[:80]!r} cannot name a source file")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramChecker:
    """A setter's own validator or interactor, run in the sandbox under limits of its own."""

    sources: tuple[SourceFile, ...]
    language: LanguageSlug
    convention: Convention
    interactive: bool = False
    scores: bool = False
    """The checker gives points, not only accept and reject."""
    arguments: tuple[str, ...] = ()
    limits: Limits | None = None
    """None: what the judge gives a checker."""
    passes: int = field(default=1, metadata=LATER)
    """How often a solution is run on a case at most: the checker asks for another run by nextpass.in.

    An interactor of testlib with a checker after it does not ask: with 2, a solution reads in a second run
    what the interactor wrote, and the checker looks at what that run writes.
    """
    checker: "ProgramChecker | None" = field(default=None, metadata=LATER)
    """Of an interactor: looks at what the interactor wrote, once that accepted."""
    communication: Communication | None = field(default=None, metadata=LATER)
    """Makes an interactor a manager, as CMS has it: the input is its standard input."""
    also: tuple["ProgramChecker", ...] = field(default=(), metadata=LATER)
    """Further checkers: who is right must be right for all, and the points are those of the last."""

    def __post_init__(self) -> None:
        self._check_sources()
        self._check_passes()
        if self.communication is not None:
            self._check_communication()
        elif self.interactive and self.convention not in _INTERACTIVE:
            raise InvalidValueError(
                "checker_interactive", f"the convention of {self.convention} has no interactors"
            )
        if self.checker is not None:
            self._check_checker(self.checker)
        self._check_others()

    def _check_sources(self) -> None:
        if not self.sources:
            raise InvalidValueError("checker_sources", "a checker program needs a source file")
        if len({source.name for source in self.sources}) != len(self.sources):
            raise InvalidValueError("checker_sources", "two source files of the checker have the same name")

    def _check_passes(self) -> None:
        if not 1 <= self.passes <= MOST_PASSES:
            raise InvalidValueError("checker_passes", f"a solution is run 1 to {MOST_PASSES} times on a case")
        if self.passes > 1 and self.convention is not Convention.ICPC and not self.reads_again:
            raise InvalidValueError(
                "checker_passes",
                "only a checker of the ICPC convention asks for more runs, and an interactor of testlib with "
                "a checker after it has two",
            )

    @property
    def reads_again(self) -> bool:
        """Whether there is a second run that reads what an interactor wrote."""
        return self.passes == _TWICE and self.convention is Convention.TESTLIB and self.checker is not None

    def _check_communication(self) -> None:
        if not self.interactive or self.convention is not Convention.CMS:
            raise InvalidValueError(
                "checker_communication", "only an interactor of the CMS convention is a manager"
            )

    def _check_checker(self, checker: "ProgramChecker") -> None:
        if not self.interactive or self.convention is not Convention.TESTLIB:
            raise InvalidValueError("checker_after", "only an interactor of testlib has a checker after it")
        if checker.interactive or checker.passes > 1 or checker.checker is not None:
            raise InvalidValueError("checker_after", "the checker after an interactor is a plain one")

    def _check_others(self) -> None:
        if len(self.also) >= MOST_CHECKERS:
            raise InvalidValueError("checker_also", f"a question has at most {MOST_CHECKERS} checkers")
        together = (self, *self.also) if self.also else ()
        if any(each.interactive or each.passes > 1 or each.checker is not None for each in together):
            raise InvalidValueError("checker_also", "of several checkers each is a plain one")
        if any(each.also for each in self.also):
            raise InvalidValueError("checker_also", "several checkers are one list")


@dataclass(frozen=True, slots=True, kw_only=True)
class Grader:
    """A setter's program that makes one result of several.

    It reads lines such as `AC 10` or `WA 0`, one for each case or part, and prints one such line.
    """

    sources: tuple[SourceFile, ...]
    language: LanguageSlug
    limits: Limits | None = None
    """None: what the judge gives a checker."""

    def __post_init__(self) -> None:
        if not self.sources or len({source.name for source in self.sources}) != len(self.sources):
            raise InvalidValueError("grader_sources", "a grader needs source files of different names")


BuiltinChecker = ExactChecker | LineChecker | TokenChecker | FloatChecker | IcpcChecker
Checker = BuiltinChecker | ProgramChecker

CHECKERS: Final[Mapping[str, type[Checker]]] = {
    "exact": ExactChecker,
    "lines": LineChecker,
    "tokens": TokenChecker,
    "floats": FloatChecker,
    "icpc": IcpcChecker,
    "program": ProgramChecker,
}
"""By the names they are kept and sent under: these stay when a type is renamed."""


class BuiltinMode(StrEnum):
    EXACT = "exact"
    LINES = "lines"
    TOKENS = "tokens"
    ICPC = "icpc"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltinOptions:
    """A checker of ours as a setter asks for it: a mode, and the options of all modes side by side."""

    mode: BuiltinMode
    ignore_trailing_space: bool = False
    collapse_spaces: bool = False
    ignore_case: bool = False
    normalise_unicode: bool = False
    absolute_tolerance: str = ""
    relative_tolerance: str = ""
    space_change_sensitive: bool = False

    @classmethod
    def of(cls, checker: BuiltinChecker) -> "BuiltinOptions":
        """Return what `checker` is made of again."""
        match checker:
            case ExactChecker():
                return cls(mode=BuiltinMode.EXACT)
            case LineChecker():
                return cls(
                    mode=BuiltinMode.LINES,
                    ignore_trailing_space=checker.ignore_trailing_space,
                    collapse_spaces=checker.collapse_spaces,
                    normalise_unicode=checker.normalise_unicode,
                )
            case TokenChecker():
                return cls(
                    mode=BuiltinMode.TOKENS,
                    ignore_case=not checker.case_sensitive,
                    normalise_unicode=checker.normalise_unicode,
                )
            case FloatChecker():
                return cls(
                    mode=BuiltinMode.TOKENS,
                    absolute_tolerance=checker.absolute,
                    relative_tolerance=checker.relative,
                )
            case IcpcChecker():
                return cls(
                    mode=BuiltinMode.ICPC,
                    ignore_case=not checker.case_sensitive,
                    space_change_sensitive=checker.space_change_sensitive,
                    absolute_tolerance=checker.absolute or "",
                    relative_tolerance=checker.relative or "",
                )

    @property
    def checker(self) -> BuiltinChecker:
        absolute, relative = self.absolute_tolerance, self.relative_tolerance
        match self.mode:
            case BuiltinMode.EXACT:
                return ExactChecker()
            case BuiltinMode.LINES:
                return LineChecker(
                    ignore_trailing_space=self.ignore_trailing_space,
                    collapse_spaces=self.collapse_spaces,
                    normalise_unicode=self.normalise_unicode,
                )
            case BuiltinMode.TOKENS if absolute or relative:
                return FloatChecker(absolute=absolute or "0", relative=relative or "0")
            case BuiltinMode.TOKENS:
                return TokenChecker(
                    case_sensitive=not self.ignore_case, normalise_unicode=self.normalise_unicode
                )
            case BuiltinMode.ICPC:
                return IcpcChecker(
                    case_sensitive=not self.ignore_case,
                    space_change_sensitive=self.space_change_sensitive,
                    absolute=absolute or None,
                    relative=relative or None,
                )


def as_icpc(checker: Checker) -> IcpcChecker | None:
    """Return the default validator of packages that says the same; None when it cannot."""
    match checker:
        case IcpcChecker():
            return checker
        case TokenChecker(normalise_unicode=False):
            return IcpcChecker(case_sensitive=checker.case_sensitive)
        case FloatChecker():
            return IcpcChecker(case_sensitive=True, absolute=checker.absolute, relative=checker.relative)
        case _:
            return None


def programs_of(checker: Checker) -> tuple[ProgramChecker, ...]:
    """The programs of a setter that look at an answer: checkers, or an interactor and a checker after it."""
    if not isinstance(checker, ProgramChecker):
        return ()
    after = () if checker.checker is None else (checker.checker,)
    return (checker, *after, *checker.also)


def all_programs(
    checker: Checker, grader: Grader | None, source_checker: ProgramChecker | None
) -> tuple[ProgramChecker | Grader, ...]:
    """The programs of a setter that judge."""
    return (*programs_of(checker), *(each for each in (grader, source_checker) if each is not None))


def with_arguments(checker: Checker, arguments: tuple[str, ...] | None) -> Checker:
    """Return the checker for a case that has arguments of its own; they replace those of the question."""
    if arguments is None:
        return checker
    match checker:
        case ProgramChecker():
            also = tuple(replace(each, arguments=arguments) for each in checker.also)
            return replace(checker, arguments=arguments, also=also)
        case IcpcChecker():
            return IcpcChecker.parse(arguments)
        case ExactChecker() | LineChecker() | TokenChecker() | FloatChecker():
            raise InvalidValueError("checker_arguments", "this kind of checker takes no arguments")
