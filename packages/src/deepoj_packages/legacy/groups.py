"""The tree of test data groups with testdata.yaml as it is written, before its scores are understood."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.options import Dialect
from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import DATA, CaseFiles, beside, find_cases
from deepoj_packages.shared.examples import DIRECTORIES
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.spec import InputArgs
from deepoj_packages.yamls import Section

SETTINGS = "testdata.yaml"
SCORE_MODES = ("sum", "avg", "min", "max")
_VERDICT_MODES = ("worst_error", "first_error", "always_accept")
_FLAGS = ("ignore_sample", "accept_if_any_accepted")
_INFINITE = frozenset({"inf", "+inf", "infinity", "+infinity"})
_ENDS_OF_A_RANGE = 2
_EXAMPLES = frozenset(DATA / name for name in DIRECTORIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSettings:
    where: str
    breaks: bool
    mode: str
    grader_args: tuple[str, ...] | None
    """What the grader of the package is told; None: the default grader is asked."""
    always_accept: bool
    any_accepted: bool
    ignore_sample: bool
    accept_score: Decimal | None
    reject_score: Decimal
    greatest: Decimal | None
    """The upper end of `range`; None: not given or infinite."""
    output_flags: tuple[str, ...]
    input_args: InputArgs


@dataclass(frozen=True, slots=True)
class DataGroup:
    path: PurePosixPath
    settings: GroupSettings
    cases: tuple[CaseFiles, ...]
    groups: tuple["DataGroup", ...]

    def all_cases(self) -> Iterator[tuple[CaseFiles, GroupSettings]]:
        """Its own cases and those of its groups, each with the settings that hold for it."""
        yield from ((case, self.settings) for case in self.cases)
        for group in self.groups:
            yield from group.all_cases()


def read_group(reading: Reading, path: PurePosixPath, inherited: Section, *, interactive: bool) -> DataGroup:
    """Kattis: without a file of its own, a group has all of its parent's; DOMjudge: it has none."""
    file = path / SETTINGS
    own = reading.yaml(file)
    nothing = Section(str(file))
    section = (
        own
        if reading.tree.has(file)
        else (inherited if reading.options.dialect is Dialect.KATTIS else nothing)
    )
    settings = _settings(reading, section)
    entries = reading.tree.entries(path)
    cases = tuple(find_cases(reading, filter(reading.tree.has, entries), interactive=interactive))
    for files in cases:
        reading.tree.use(beside(files.stem, ".hint"), beside(files.stem, ".desc"))
    groups = tuple(
        read_group(reading, at, section, interactive=interactive)
        for at in entries
        if reading.tree.has_directory(at) and not at.name.endswith(".files") and at not in _EXAMPLES
    )
    return DataGroup(path, settings, cases, tuple(each for each in groups if any(each.all_cases())))


def _settings(reading: Reading, section: Section) -> GroupSettings:
    graded = section.choice("grading", ("default", "custom"), "default") == "custom"
    flags = tuple(section.text("grader_flags").split())
    words = () if graded else flags
    if unknown := sorted(set(words) - {*SCORE_MODES, *_VERDICT_MODES, *_FLAGS}):
        raise invalid(f"{section.where}: the default grader has no flag {unknown[0]!r}")
    settings = GroupSettings(
        where=section.where,
        breaks=section.choice("on_reject", ("break", "continue"), "break") == "break",
        mode=_last_of(words, SCORE_MODES, "sum"),
        grader_args=flags if graded else None,
        always_accept=_last_of(words, _VERDICT_MODES, "worst_error") == "always_accept",
        any_accepted="accept_if_any_accepted" in words,
        ignore_sample="ignore_sample" in words,
        accept_score=section.decimal("accept_score"),
        reject_score=section.decimal("reject_score") or Decimal(0),
        greatest=_greatest(section),
        output_flags=_output_flags(section),
        input_args=_input_args(section),
    )
    reading.warn_unknown(section)
    return settings


def _last_of(words: tuple[str, ...], modes: tuple[str, ...], default: str) -> str:
    return next((word for word in reversed(words) if word in modes), default)


def _greatest(section: Section) -> Decimal | None:
    words = section.text("range").split()
    if not words:
        return None
    if len(words) != _ENDS_OF_A_RANGE:
        raise invalid(f"{section.where}: range must be two numbers")
    if words[1].lower() in _INFINITE:
        return None
    try:
        return Decimal(words[1])
    except ArithmeticError:
        raise invalid(f"{section.where}: range must be two numbers") from None


def _output_flags(section: Section) -> tuple[str, ...]:
    if section.is_map("output_validator_flags"):
        return tuple(section.section("output_validator_flags").text("flags").split())
    return tuple(section.text("output_validator_flags").split())


def _input_args(section: Section) -> InputArgs:
    key = "input_validator_flags"
    if not section.is_map(key):
        return InputArgs(tuple(section.text(key).split()))
    named = section.section(key)
    if set(named.names()) == {"name", "flags"}:
        return InputArgs((), ((named.text("name"), tuple(named.text("flags").split())),))
    return InputArgs((), tuple((name, tuple(named.text(name).split())) for name in sorted(named.names())))
