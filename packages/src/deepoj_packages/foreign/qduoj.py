"""QDUOJ's export: a directory a problem, with problem.json and testcase/."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path, PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign.around import Around, included_around
from deepoj_packages.foreign.draft import Draft, Section, numeric_key, short_name_of
from deepoj_packages.foreign.json_values import JsonObject, load_object
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, invalid
from deepoj_packages.shared.points import exact_points
from deepoj_packages.spec import (
    SECRET,
    FormatVersion,
    Group,
    GroupScoring,
    ProblemLimits,
    ProblemSpec,
    Validator,
)
from deepoj_packages.tree import Tree

_PROBLEM = PurePosixPath("problem.json")
_TESTS = PurePosixPath("testcase")
_NO_ANSWER = PurePosixPath("no_answer")
_Test = tuple[str, PurePosixPath, PurePosixPath | None, Decimal]
"""Its name, input, answer (None where a special judge needs none) and points."""
_SECTIONS = (
    ("", "description"),
    ("input", "input_description"),
    ("output", "output_description"),
    ("hint", "hint"),
)


def is_qduoj(directory: Path) -> bool:
    return (directory / _PROBLEM).is_file()


def read_qduoj(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    about = load_object(tree.text(_PROBLEM), str(_PROBLEM))
    title = about.text("title").strip()
    if not title:
        raise invalid(f"{_PROBLEM}: the problem has no title")
    try:
        return _problem(tree, Draft(into, FormatVersion.QDUOJ, options.limits, title), about)
    except PackageRefusedError as error:
        raise error.about(title) from error


def _problem(tree: Tree, draft: Draft, about: JsonObject) -> ProblemSpec:
    draft.add_statement([_section(about, kind, key) for kind, key in _SECTIONS])
    for sample in about.parts("samples"):
        draft.add_sample(sample.text("input"), sample.text("output"))
    scoring = about.text("rule_type") == "OI"
    for name, given, answer, points in _tests(tree, about):
        worth = points if scoring else Decimal(0)
        right = tree.path(answer) if answer else draft.place(draft.write(_NO_ANSWER, ""))
        draft.add_case(f"{SECRET}/{name}", SECRET, tree.path(given), right, worth)
    for solution in about.parts("answers"):
        draft.add_solution(solution.text("language"), solution.text("code"))
    return draft.spec(
        short_name=short_name_of(draft.format, about.text("display_id"), draft.title),
        limits=ProblemLimits(
            time_ms=_limit(about, "time_limit", "milliseconds"),
            memory_mib=_limit(about, "memory_limit", "megabytes"),
        ),
        groups=(_scored(draft),) if scoring else (),
        validator=_special_judge(draft, about),
        source=about.text("source").strip(),
        keywords=tuple(about.texts("tags")),
        included=included_around(draft, _around(about.part("template"))),
    )


def _special_judge(draft: Draft, about: JsonObject) -> Validator | None:
    if not about.has("spj"):
        return None
    special = about.part("spj")
    return draft.special_judge(special.text("language"), special.text("code"), Convention.QDUOJ)


def _scored(draft: Draft) -> Group:
    points = sum((case.points for case in draft.cases), Decimal(0))
    return Group(name=SECRET, points=points, scoring=GroupScoring.SUM)


def _around(templates: JsonObject) -> Iterator[Around]:
    for language in templates.names():
        template = templates.part(language)
        yield Around(language, template.text("prepend"), template.text("append"))


def _section(about: JsonObject, kind: str, key: str) -> Section:
    if not about.is_object(key):
        return Section(kind, about.text(key), is_html=True)
    part = about.part(key)
    return Section(kind, part.text("value"), is_html=part.text("format") != "markdown")


def _tests(tree: Tree, about: JsonObject) -> Iterator[_Test]:
    special = about.has("spj")
    if not about.has("test_case_score"):
        yield from _listed(tree, special=special)
        return
    for number, test in enumerate(about.parts("test_case_score"), start=1):
        given = _file(tree, test, "input_name")
        needless = special and test.text("output_name") in {"", "-"}
        answer = None if needless else _file(tree, test, "output_name")
        points = exact_points(test.decimal("score") or Decimal(0), f"{test.where}: score")
        yield f"{number:03}", given, answer, points


def _listed(tree: Tree, *, special: bool) -> Iterator[_Test]:
    """Older exports do not list the tests of problems that have no points."""
    inputs = [file for file in tree.entries(_TESTS) if file.suffix == ".in" and tree.has(file)]
    for given in sorted(inputs, key=lambda file: numeric_key(file.name)):
        answer = given.with_suffix(".out")
        if not (special or tree.has(answer)):
            raise invalid(f"{given} has no answer: {answer.name} is missing")
        yield given.stem, given, answer if tree.has(answer) else None, Decimal(0)


def _file(tree: Tree, test: JsonObject, key: str) -> PurePosixPath:
    file = _TESTS / test.text(key)
    if file.parent != _TESTS or not tree.has(file):
        raise invalid(f"{test.where}: {key} names {test.text(key)[:80]!r}, which is not in {_TESTS}/")
    return file


def _limit(about: JsonObject, key: str, unit: str) -> int | None:
    value = about.decimal(key)
    if value is None:
        return None
    if value <= 0 or value != int(value):
        raise invalid(f"{about.where}: {key} must be whole {unit} above 0")
    return int(value)
