"""Polygon's packages: problem.xml, with all tests (full) or with what makes them (standard)."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.draft import Draft, short_name_of
from deepoj_packages.foreign.line_ends import TextFiles
from deepoj_packages.foreign.polygon_programs import PolygonPrograms
from deepoj_packages.foreign.polygon_statements import PolygonStatements
from deepoj_packages.foreign.polygon_tests import PolygonTests
from deepoj_packages.foreign.xml_tree import Element, load_xml
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, invalid, unsupported
from deepoj_packages.spec import FileNames, FormatVersion, ProblemLimits, ProblemSpec
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import decimal_of

_PROBLEM = PurePosixPath("problem.xml")
_TESTSET = "tests"
_MIB = 1024 * 1024
_STANDARD_STREAMS = frozenset({"", "stdin", "stdout"})
_MOST_PASSES = 2


def is_polygon(directory: Path) -> bool:
    return (directory / _PROBLEM).is_file()


def read_polygon(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    problem = load_xml(tree, _PROBLEM)
    if problem.name != "problem":
        raise invalid(f"{problem.where}: <problem> is expected, not <{problem.name[:40]}>")
    title = _title(problem)
    try:
        return _problem(tree, Draft(into, FormatVersion.POLYGON, options.limits, title), problem)
    except PackageRefusedError as error:
        raise error.about(title) from error


def _title(problem: Element) -> str:
    names = {name.get("language"): name.get("value") for name in problem.all("names", "name")}
    title = names.get("english") or next(iter(names.values()), "") or problem.get("short-name")
    if not title:
        raise invalid(f"{problem.where}: the problem has no name")
    return title


def _problem(tree: Tree, draft: Draft, problem: Element) -> ProblemSpec:
    judging, testset = problem.first("judging"), _testset(problem)
    files = TextFiles(draft)
    programs = PolygonPrograms(tree, draft, problem, files)
    tests = PolygonTests(tree, draft, testset, programs, files)
    groups = tests.read()
    shown = PolygonStatements(tree, draft, problem)
    shown.read()
    draft.samples = shown.samples() or tests.samples()
    passes = _passes(judging)
    validator = programs.validator(scores=tests.scoring, passes=passes)
    if passes > 1:
        draft.warn(
            f"{judging.where}: run-count is 2: the second run of a solution reads what the interactor wrote; "
            "it does not talk again, as a package cannot say which of the two it wants"
        )
    examples, invalid_inputs = programs.output_examples(), programs.invalid_inputs()
    files.warn()
    spec = draft.spec(
        short_name=short_name_of(draft.format, problem.get("short-name"), draft.title),
        limits=_limits(testset),
        groups=groups,
        validator=validator,
        keywords=tuple(tag.get("value") for tag in problem.all("tags", "tag")),
    )
    return replace(
        spec,
        scoring=tests.scoring,
        file_names=_file_names(judging),
        included=programs.included(),
        input_validators=programs.input_validators(),
        output_examples=examples,
        invalid_inputs=invalid_inputs,
        recipes=tests.recipes(interactive=spec.interactive),
        source=tree.root,
        warnings=tuple(draft.warnings),
    )


def _testset(problem: Element) -> Element:
    found = list(problem.all("judging", "testset"))
    for each in found:
        if each.get("name") == _TESTSET or len(found) == 1:
            return each
    raise invalid(f"{problem.where}: there is no testset named {_TESTSET!r}")


def _limits(testset: Element) -> ProblemLimits:
    time, memory = testset.first("time-limit"), testset.first("memory-limit")
    return ProblemLimits(
        time_ms=_amount(time, 1) if time.text else None,
        memory_mib=_amount(memory, _MIB) if memory.text else None,
    )


def _amount(given: Element, unit: int) -> int:
    value = decimal_of(given.text, f"{given.where}: {given.name}")
    if value <= 0:
        raise invalid(f"{given.where}: {given.name} must be above 0")
    return int((value / unit).to_integral_value(rounding="ROUND_CEILING"))


def _file_names(judging: Element) -> FileNames | None:
    given, written = (
        "" if judging.get(key) in _STANDARD_STREAMS else judging.get(key)
        for key in ("input-file", "output-file")
    )
    return FileNames(given, written) if given or written else None


def _passes(judging: Element) -> int:
    count = judging.get("run-count") or "1"
    if count not in {"1", str(_MOST_PASSES)}:
        raise unsupported(f"{judging.where}: run-count is {count[:20]!r}, and a program runs once or twice")
    return int(count)
