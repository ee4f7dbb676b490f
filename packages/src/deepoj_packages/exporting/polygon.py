"""A problem as the files of a full package of Polygon, as far as it can be said there."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

from deepoj_domain.question.checker import Convention
from deepoj_packages.exporting.entries import Entry, program_entries
from deepoj_packages.exporting.polygon_names import SOURCE_TYPES, STATEMENT_LANGUAGES, tag_of
from deepoj_packages.judge_data import judged_limits
from deepoj_packages.languages import is_header
from deepoj_packages.refusal import PackageRefusedError, unsupported
from deepoj_packages.shared.own_checkers import checker_source
from deepoj_packages.spec import (
    Case,
    Group,
    GroupScoring,
    OutputValidator,
    ProblemSpec,
    Program,
    StatementFormat,
)

_FILES, _SOLUTIONS = PurePosixPath("files"), PurePosixPath("solutions")
_POLICIES = {GroupScoring.PASS_FAIL: "complete-group", GroupScoring.SUM: "each-test"}
_KIB = 1024


def polygon_entries(spec: ProblemSpec) -> Iterator[Entry]:
    """Each file once. Raise PackageRefusedError for what Polygon cannot say.

    What is not found here is found by reading the package again.
    """
    _check(spec)
    root = ET.Element("problem", {"short-name": spec.short_name, "revision": "1"})
    names = ET.SubElement(root, "names")
    for language, title in spec.names:
        ET.SubElement(names, "name", {"language": _language(language), "value": title})
    statements = list(_statements(spec, ET.SubElement(root, "statements")))
    _judging(spec, ET.SubElement(root, "judging", {"input-file": "", "output-file": ""}))
    resources = ET.SubElement(ET.SubElement(root, "files"), "resources")
    assets = ET.SubElement(root, "assets")
    programs = [*_checker(spec, assets, resources), *_solutions(spec, assets)]
    ET.indent(root)
    xml = ET.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"
    yield Entry(PurePosixPath("problem.xml"), xml)
    yield from statements
    width = max(2, len(str(len(spec.cases))))
    for number, case in enumerate(spec.cases, start=1):
        place = f"tests/{number:0{width}}"
        yield Entry(PurePosixPath(place), spec.path(case.input))
        yield Entry(PurePosixPath(f"{place}.a"), spec.path(case.answer) if case.answer else b"")
    yield from programs


def _check(spec: ProblemSpec) -> None:
    needed = {
        "no time limit": spec.limits.time_ms is None,
        "only some languages": spec.languages is not None,
        "interaction": spec.interactive,
        "arguments for a checker": isinstance(spec.validator, OutputValidator)
        and any(case.output_validator_args for case in spec.cases),
        "limits of one case": any(case.time_ms or case.memory_mib for case in spec.cases),
        "arguments or files of one case": any(case.arguments or case.files for case in spec.cases),
        "validation of the source": bool(spec.static_cases),
        "groups that earn one score together": bool(spec.bundles or spec.grader),
        "several checkers": isinstance(spec.validator, OutputValidator) and bool(spec.validator.also),
        "files by name": spec.file_names is not None,
        "files beside submissions": bool(spec.included),
        "answers that are submitted": spec.answers_submitted,
    }
    for what, is_needed in needed.items():
        if is_needed:
            raise _cannot(what)


def _statements(spec: ProblemSpec, into: ET.Element) -> Iterator[Entry]:
    """TeX as Polygon has it; other texts lie beside the package and are not named in it."""
    for statement in spec.statements:
        language = _language(statement.language)
        if statement.format is StatementFormat.TEX:
            path = f"statements/{language}/problem.tex"
            about = {"charset": "UTF-8", "language": language, "path": path, "type": "application/x-tex"}
            ET.SubElement(into, "statement", about)
            yield Entry(PurePosixPath(path), spec.path(statement.file))
        else:
            name = f"statements/{language}/problem.{statement.format}"
            yield Entry(PurePosixPath(name), spec.path(statement.file))


def _judging(spec: ProblemSpec, into: ET.Element) -> None:
    tests = ET.SubElement(into, "testset", {"name": "tests"})
    width = max(2, len(str(len(spec.cases))))
    judged = judged_limits(spec.limits, spec.limits.time_ms or 0)
    for name, value in (
        ("time-limit", judged.cpu_ms),
        ("memory-limit", judged.memory_kib * _KIB),
        ("test-count", len(spec.cases)),
        ("input-path-pattern", f"tests/%0{width}d"),
        ("answer-path-pattern", f"tests/%0{width}d.a"),
    ):
        ET.SubElement(tests, name).text = str(value)
    listed = ET.SubElement(tests, "tests")
    for case in spec.cases:
        ET.SubElement(listed, "test", _test(spec, case))
    if spec.scoring:
        groups = ET.SubElement(tests, "groups")
        for group in spec.groups:
            _group(groups, group)


def _test(spec: ProblemSpec, case: Case) -> dict[str, str]:
    about = {"method": "manual"}
    if case.is_sample:
        about["sample"] = "true"
    if spec.scoring:
        about |= {"group": _group_name(case.group), "points": f"{case.points:f}"}
    return about


def _group(into: ET.Element, group: Group) -> None:
    if group.scoring not in _POLICIES or group.unbounded or group.breaks_on_reject:
        raise _cannot(f"how {group.name} is scored")
    about = {"name": _group_name(group.name), "points": f"{group.points:f}", "feedback-policy": "complete"}
    made = ET.SubElement(into, "group", about | {"points-policy": _POLICIES[group.scoring]})
    if group.depends_on:
        needed = ET.SubElement(made, "dependencies")
        for name in group.depends_on:
            ET.SubElement(needed, "dependency", {"group": _group_name(name)})


def _checker(spec: ProblemSpec, assets: ET.Element, resources: ET.Element) -> Iterator[Entry]:
    checker = ET.SubElement(assets, "checker", {"type": "testlib"})
    validator = spec.validator
    if not isinstance(validator, OutputValidator):
        flags = {case.output_validator_args for case in spec.cases}
        if len(flags) > 1:
            raise _cannot("a comparison that differs from case to case")
        if next(iter(flags)) == ("case_sensitive",):
            checker.set("name", "std::wcmp.cpp")
        ET.SubElement(checker, "source", {"path": "files/check.cpp", "type": SOURCE_TYPES["cpp"]})
        yield Entry(_FILES / "check.cpp", checker_source(validator, next(iter(flags))))
        return
    if validator.convention is not Convention.TESTLIB:
        raise _cannot("a checker that does not follow testlib")
    program = validator.program
    if not all(file == program.main or _is_beside(program, file) for file in program.files):
        raise _cannot("a checker of several sources")
    place = _FILES if program.at != program.main else _FILES / program.at.name
    for entry in program_entries(spec, program, place):
        if entry.content == spec.path(program.main):
            ET.SubElement(checker, "source", {"path": str(entry.path), "type": _type(program)})
        else:
            ET.SubElement(resources, "file", {"path": str(entry.path)})
        yield entry


def _is_beside(program: Program, header: PurePosixPath) -> bool:
    return is_header(header) and header.parent == program.main.parent == program.at


def _solutions(spec: ProblemSpec, assets: ET.Element) -> Iterator[Entry]:
    """Those of one file in a language that Polygon has a name for."""
    listed = ET.SubElement(assets, "solutions")
    plain = [
        each
        for each in spec.submissions
        if len(each.program.files) == 1 and each.program.language in SOURCE_TYPES
    ]
    main = next((each for each in plain if tag_of(each) == "accepted"), None)
    for submission in plain:
        path = _SOLUTIONS / PurePosixPath(submission.name).parts[0] / submission.program.main.name
        tag = "main" if submission is main else tag_of(submission)
        made = ET.SubElement(listed, "solution", {"tag": tag})
        ET.SubElement(made, "source", {"path": str(path), "type": _type(submission.program)})
        yield Entry(path, spec.path(submission.program.main))


def _type(program: Program) -> str:
    return SOURCE_TYPES.get(program.language, program.language)


def _group_name(name: str) -> str:
    return "-".join(PurePosixPath(name).parts[1:]) or name


def _language(code: str) -> str:
    return STATEMENT_LANGUAGES.get(code, code)


def _cannot(why: str) -> PackageRefusedError:
    return unsupported(f"a package of Polygon cannot say it: {why}")
