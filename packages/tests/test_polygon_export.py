"""Export as a package of Polygon: what can be said there, exactly, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention
from deepoj_domain.question.suite import Suite
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import (
    ContentOf,
    judged_checker,
    judged_form,
    judged_languages,
    judged_limits,
    judged_suite,
)
from deepoj_packages.options import ExportFormat
from deepoj_packages.read_package import read_directory, read_package
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.shared.own_checkers import checker_source
from deepoj_packages.spec import (
    DefaultValidator,
    FormatVersion,
    LineValidator,
    OutputValidator,
    ProblemSpec,
)
from deepoj_packages.testing import PackageReader, hash_in

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_tests_groups_limits_and_solutions_are_said(tmp_path: Path) -> None:
    spec = read_directory(EXAMPLES / "pairs")
    export_directory(spec, tmp_path / "out", ExportFormat.POLYGON)
    problem = ET.parse(tmp_path / "out/problem.xml").getroot()  # noqa: S314 — we wrote it
    testset = problem.find("judging/testset")
    assert testset is not None
    assert [testset.findtext(name) for name in ("time-limit", "memory-limit", "test-count")] == [
        "1000",
        str(256 * 1024 * 1024),
        str(len(spec.cases)),
    ]
    for number, case in enumerate(spec.cases, start=1):
        assert (tmp_path / f"out/tests/{number:02}").read_bytes() == spec.path(case.input).read_bytes()
        assert (tmp_path / f"out/tests/{number:02}.a").is_file()
    groups = {each.get("name"): each for each in testset.iter("group")}
    assert {name: each.get("points-policy") for name, each in groups.items()} == {
        "sample": "complete-group",
        "1-few": "complete-group",
        "2-equal": "each-test",
        "3-many": "complete-group",
    }
    assert [each.get("group") for each in groups["3-many"].iter("dependency")] == ["1-few"]
    tags = [each.get("tag") for each in problem.iter("solution")]
    assert tags.count("main") == 1
    assert all((tmp_path / "out" / str(each.get("path"))).is_file() for each in problem.iter("source"))


def test_a_checker_that_follows_testlib_goes_along_with_its_headers(
    modern: PackageReader, tmp_path: Path
) -> None:
    spec = modern({"output_validator/check.cpp": "int main() {}", "output_validator/testlib.h": "//"})
    assert isinstance(spec.validator, OutputValidator)
    own = replace(spec, validator=replace(spec.validator, convention=Convention.TESTLIB))
    export_directory(own, tmp_path / "out", ExportFormat.POLYGON)
    problem = ET.parse(tmp_path / "out/problem.xml").getroot()  # noqa: S314 — we wrote it
    source = problem.find("assets/checker/source")
    assert source is not None
    assert source.get("path") == "files/check.cpp"
    assert [each.get("path") for each in problem.iter("file")] == ["files/testlib.h"]
    assert (tmp_path / "out/files/testlib.h").is_file()


def comes_back(spec: ProblemSpec, directory: Path) -> ProblemSpec:
    """Parts of a judge hash that are equal: cases and groups but for their names, checker, form, languages.

    Of the limits, time and memory.
    """
    export_directory(spec, directory / "out", ExportFormat.POLYGON)
    again = read_package(directory / "out", directory / "again")
    assert again.format is FormatVersion.POLYGON
    for part in (numbered, judged_form):
        assert part(again, hash_in(again)) == part(spec, hash_in(spec))
    checkers = [judged_checker(each, hash_in(each), language_slug("cpp17")) for each in (again, spec)]
    assert checkers[0] == checkers[1]
    assert judged_languages(again) == judged_languages(spec)
    kept = [judged_limits(each.limits, each.limits.time_ms or 0) for each in (again, spec)]
    assert (kept[0].cpu_ms, kept[0].memory_kib) == (kept[1].cpu_ms, kept[1].memory_kib)
    return again


def numbered(spec: ProblemSpec, content: ContentOf) -> Suite:
    suite = judged_suite(spec, content)
    names = {group.name: f"{number}" for number, group in enumerate(suite.groups)}
    return replace(
        suite,
        groups=tuple(
            replace(each, name=names[each.name], depends_on=tuple(names[name] for name in each.depends_on))
            for each in suite.groups
        ),
        cases=tuple(
            replace(each, name=f"{number}", group=names[each.group])
            for number, each in enumerate(suite.cases)
        ),
    )


@pytest.mark.parametrize("name", ["aplusb", "brackets", "pairs"])
def test_what_can_be_said_there_is_judged_the_same_when_it_comes_back(name: str, tmp_path: Path) -> None:
    again = comes_back(read_directory(EXAMPLES / name), tmp_path)
    assert any(each.model_solution for each in again.submissions)


@pytest.mark.parametrize("flags", [(), ("case_sensitive",)])
def test_a_comparison_of_ours_is_known_when_it_comes_back(
    modern: PackageReader, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    spec = modern()
    cases = tuple(replace(case, output_validator_args=flags) for case in spec.cases)
    again = comes_back(replace(spec, cases=cases), tmp_path / "tokens")
    assert isinstance(again.validator, DefaultValidator)
    again = comes_back(replace(spec, validator=LineValidator()), tmp_path / "lines")
    assert isinstance(again.validator, LineValidator)


def test_a_checker_of_the_setter_comes_back_with_its_headers(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern({"output_validator/check.cpp": "int main() {}", "output_validator/testlib.h": "//"})
    assert isinstance(spec.validator, OutputValidator)
    own = replace(spec, validator=replace(spec.validator, convention=Convention.TESTLIB))
    assert isinstance(comes_back(own, tmp_path).validator, OutputValidator)


def test_a_changed_comparison_is_a_program_when_it_comes_back(modern: PackageReader, tmp_path: Path) -> None:
    export_directory(modern(), tmp_path / "out", ExportFormat.POLYGON)
    source = tmp_path / "out/files/check.cpp"
    source.write_bytes(source.read_bytes().replace(b"same ? 0", b"same ? 1"))
    assert isinstance(read_package(tmp_path / "out", tmp_path / "again").validator, OutputValidator)


SCORED = {
    **{f"data/secret/{group}/1.{ending}": "" for group in ("a-b", "c") for ending in ("in", "ans")},
    "data/secret/test_group.yaml": "max_score: 100\n",
    "data/secret/a-b/test_group.yaml": "max_score: 40\n",
    "data/secret/c/test_group.yaml": "max_score: 60\n",
    "problem.yaml": "problem_format_version: 2025-09\nname: Add\ntype: scoring\nlimits: {time_limit: 1}\n",
}


@pytest.mark.parametrize(
    "change",
    [
        {"name": "secret/a/b"},
        {"name": "secret/sample"},
        {"name": "secret/ü"},
        {"lowered_by_dependencies": True},
    ],
    ids=["two of one name", "the name of the samples", "a name that is none there", "lowered by another"],
)
def test_groups_that_would_be_scored_otherwise_are_refused(
    modern: PackageReader, tmp_path: Path, change: dict[str, Any]
) -> None:
    spec = modern(SCORED, without=("data/secret",))
    comes_back(spec, tmp_path / "plain")
    *others, last = spec.groups
    groups = (*others, replace(last, **{"depends_on": (others[-1].name,), **change}))
    cases = tuple(
        replace(case, group=groups[-1].name) if case.group == last.name else case for case in spec.cases
    )
    with pytest.raises(PackageRefusedError, match="cannot say"):
        export_directory(replace(spec, groups=groups, cases=cases), tmp_path / "out", ExportFormat.POLYGON)
    assert not (tmp_path / "out").exists()


def test_a_checker_of_several_sources_is_refused(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern({"output_validator/main.cpp": "int f();", "output_validator/f.cpp": "int f() {}"})
    assert isinstance(spec.validator, OutputValidator)
    own = replace(spec, validator=replace(spec.validator, convention=Convention.TESTLIB))
    with pytest.raises(PackageRefusedError, match="a checker of several sources"):
        export_directory(own, tmp_path / "out", ExportFormat.POLYGON)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("circle", "a comparison with float_tolerance"),
        ("guess", "interaction"),
        ("summands", "a checker that does not follow testlib"),
    ],
)
def test_what_cannot_be_said_there_is_refused(name: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(PackageRefusedError, match=f"a package of Polygon cannot say it: {sentence}"):
        export_directory(read_directory(EXAMPLES / name), tmp_path / "out", ExportFormat.POLYGON)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
def test_our_comparisons_are_programs_that_answer_as_checkers_do(tmp_path: Path) -> None:
    cases: dict[tuple[DefaultValidator | LineValidator, tuple[str, ...]], list[tuple[bytes, bytes, int]]] = {
        (DefaultValidator(), ()): [(b"A b\n", b"a  B", 0), (b"a b", b"ab", 1), (b"", b"a", 1)],
        (DefaultValidator(), ("case_sensitive",)): [(b"a\r\n", b"a", 0), (b"A", b"a", 1)],
        (LineValidator(), ()): [
            (b"\xef\xbb\xbfa \r\n\r\n", b"a\n", 0),
            (b"a\rb", b"a\nb", 0),
            (b"a\n\nb", b"a\nb", 1),
            (b" a", b"a", 1),
            (b"\xff\n", b"\xff", 0),
        ],
    }
    for (validator, flags), rows in cases.items():
        (tmp_path / "check.cpp").write_bytes(checker_source(validator, flags))
        subprocess.run(
            ["g++", "-O1", "-Wall", "-Werror", "-o", "check", "check.cpp"], cwd=tmp_path, check=True
        )
        for output, answer, code in rows:
            (tmp_path / "output").write_bytes(output)
            (tmp_path / "answer").write_bytes(answer)
            called = [str(tmp_path / "check"), "input", "output", "answer"]
            ended = subprocess.run(called, cwd=tmp_path, check=False, capture_output=True)
            assert ended.returncode == code, (output, answer)
