"""Packages of Polygon, with their tests or with what makes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path, PurePosixPath

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, IcpcChecker, ProgramChecker
from deepoj_packages.foreign.ordered_groups import in_order
from deepoj_packages.judge_data import judged_checker, judged_suite
from deepoj_packages.options import ReadingLimits, ReadingOptions
from deepoj_packages.read_package import read_package, read_problems
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import (
    FileNames,
    FormatVersion,
    GroupScoring,
    OutputValidator,
    ProblemSpec,
    StatementFormat,
)
from deepoj_packages.testing import Files, hash_in, write_package

TESTS = '<test method="manual" sample="true"/><test method="manual"/>'
CHECKER = (
    '<checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/>{}'
    "</checker>"
)
OWN_CHECKER = CHECKER.replace("std::wcmp.cpp", "mine.cpp")
SOLUTIONS = (
    '<solution tag="main"><source path="solutions/ok.cpp" type="cpp.g++17"/></solution>'
    '<solution tag="wrong-answer"><source path="solutions/bad.py" type="python.3"/></solution>'
)


def problem(
    tests: str = TESTS,
    groups: str = "",
    checker: str = CHECKER.format(""),
    assets: str = "",
    judging: str = "",
    solutions: str = SOLUTIONS,
    pattern: str = "tests/%02d",
) -> str:
    return f"""<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="3" short-name="add-two">
<names><name language="english" value="Add"/><name language="russian" value="Сумма"/></names>
<statements>
  <statement language="english" path="statements/english/problem.tex" type="application/x-tex"/>
  <statement language="english" path="statements/.pdf/english/problem.pdf" type="application/pdf"/>
  <statement language="russian" path="statements/russian/problem.tex" type="application/x-tex"/>
</statements>
<judging {judging}><testset name="pretests"/><testset name="tests">
  <time-limit>1500</time-limit><memory-limit>268435457</memory-limit>
  <input-path-pattern>{pattern}</input-path-pattern>
  <answer-path-pattern>{pattern}.a</answer-path-pattern>
  <tests>{tests}</tests>{groups}
</testset></judging>
<files>
  <resources><file path="files/testlib.h" type="h.g++"/></resources>
  <executables><executable><source path="files/gen.cpp" type="cpp.g++17"/></executable></executables>
</files>
<assets>{checker}{assets}<solutions>{solutions}</solutions></assets>
<tags><tag value="sums"/></tags>
</problem>"""


SHOWN: Mapping[str, object] = {
    "legend": "Add \\t{them}, \\bf{both}, $\\bf{x}$.\r\n\\includegraphics[width=5cm]{fig.png}",
    "input": "Two numbers",
    "output": "",
    "notes": None,
    "sampleTests": [{"input": "1 2\r\n", "output": "3\r\n"}],
}
PLAIN: Files = {
    "problem.xml": problem(),
    "files/check.cpp": "int main() {}",
    "files/gen.cpp": "int main() {}",
    "files/val.cpp": "int main() {}",
    "files/testlib.h": "//",
    "solutions/ok.cpp": "int main() {}",
    "solutions/bad.py": "print(0)",
    "tests/01": "1 2\n",
    "tests/01.a": "3\n",
    "tests/02": "4 5\n",
    "tests/02.a": "9\n",
    "statements/english/problem-properties.json": json.dumps(SHOWN),
    "statements/english/fig.png": b"png",
    "statements/.pdf/english/problem.pdf": b"%PDF",
    "statement-sections/russian/legend.tex": "Сложите.",
    "statement-sections/russian/input.tex": "Два числа",
}
Read = Callable[..., ProblemSpec]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def made(files: Files | None = None, *, without: tuple[str, ...] = ()) -> ProblemSpec:
        kept = {name: text for name, text in PLAIN.items() if name not in without}
        return read_package(write_package(tmp_path / "p", {**kept, **(files or {})}), tmp_path / "into")

    return made


def text(spec: ProblemSpec, file: PurePosixPath | None) -> str:
    assert file is not None
    return spec.path(file).read_text()


def test_a_full_package_without_points(read: Read) -> None:
    spec = read()
    assert (spec.format, spec.short_name, spec.names) == (
        FormatVersion.POLYGON,
        "add-two",
        (("en", "Add"), ("ru", "Сумма")),
    )
    assert (spec.limits.time_ms, spec.limits.memory_mib, spec.metadata.keywords) == (1500, 257, ("sums",))
    assert (spec.scoring, spec.recipes, spec.file_names) == (False, (), None)
    assert [(case.name, case.is_sample) for case in spec.cases] == [("sample/01", True), ("secret/02", False)]
    assert [text(spec, case.input) for case in spec.cases] == ["1 2\n", "4 5\n"]
    assert judged_checker(spec, hash_in(spec)) == IcpcChecker(case_sensitive=True)
    judged_suite(spec, hash_in(spec))


def test_statements_of_every_language(read: Read) -> None:
    spec = read()
    assert [(each.language, each.format) for each in spec.statements] == [
        ("en", StatementFormat.TEX),
        ("en", StatementFormat.PDF),
        ("ru", StatementFormat.TEX),
    ]
    english = text(spec, spec.statements[0].file)
    assert "Add \\texttt{them}, \\textbf{both}, $\\bf{x}$.\n" in english, "commands in formulas mean others"
    assert "\\includegraphics[width=5cm]{picture-1.png}" in english
    assert "\\section*{Input}\n\nTwo numbers\n" in english
    assert "Output" not in english
    assert "\\section*{Входные данные}" in text(spec, spec.statements[2].file)
    assert [spec.path(image).read_bytes() for image in spec.images] == [b"png"]
    [sample] = spec.samples
    assert (text(spec, sample.input), text(spec, sample.output)) == ("1 2\n", "3\n")


def test_a_whole_tex_file_is_the_last_resort(read: Read) -> None:
    whole = (
        "\\begin{problem}{Add}{stdin}{stdout}{1 second}{256 megabytes}\nAdd.\n\\InputFile\nNumbers\n"
        "\\Examples\n\\exmp{1}{2}\n\\Note\nEasy.\n\\end{problem}"
    )
    spec = read(
        {"statements/english/problem.tex": whole}, without=("statements/english/problem-properties.json",)
    )
    written = text(spec, spec.statements[0].file)
    assert written == "Add.\n\n\\section*{Input}\n\nNumbers\n\n\\section*{Notes}\n\nEasy.\n"
    assert text(spec, spec.samples[0].input) == "1 2\n", "samples are the tests then"


def test_solutions_and_their_tags(read: Read) -> None:
    tags = ("rejected", "time-limit-exceeded", "memory-limit-exceeded", "time-limit-exceeded-or-accepted")
    others = "".join(
        f'<solution tag="{tag}"><source path="solutions/ok.cpp" type="cpp.g++17"/></solution>'
        for tag in (*tags, "do-not-run")
    )
    old = '<solution tag="accepted"><source path="solutions/bad.py" type="python.2"/></solution>'
    spec = read({"problem.xml": problem(solutions=SOLUTIONS + others + old)})
    assert [(each.name, each.model_solution) for each in spec.submissions] == [
        ("accepted/ok.cpp", True),
        ("wrong_answer/bad.py", False),
        ("rejected/ok.cpp", False),
        ("time_limit_exceeded/ok.cpp", False),
        ("run_time_error/ok.cpp", False),
        ("mixed/ok.cpp", False),
    ]
    assert any("its tag is 'do-not-run'" in warning for warning in spec.warnings)
    assert any("Python 2" in warning for warning in spec.warnings)


def test_checkers_of_their_own_run_with_their_headers(read: Read) -> None:
    spec = read({"problem.xml": problem(checker=OWN_CHECKER.format(""))})
    checker = judged_checker(spec, hash_in(spec), language_slug("cpp17"))
    assert isinstance(checker, ProgramChecker)
    assert (checker.convention, sorted(source.name for source in checker.sources)) == (
        Convention.TESTLIB,
        ["main.cpp", "testlib.h"],
    )


def test_an_interactor_comes_before_the_checker(read: Read) -> None:
    asset = '<interactor><source path="files/gen.cpp" type="cpp.g++17"/></interactor>'
    spec = read({"problem.xml": problem(assets=asset, judging='run-count="2"')})
    assert isinstance(spec.validator, OutputValidator)
    assert spec.validator.checker is not None
    assert (spec.validator.interactive, spec.validator.checker.interactive, spec.validator.passes) == (
        True,
        False,
        2,
    )
    assert any(
        "the second run of a solution reads what the interactor wrote" in warning for warning in spec.warnings
    )
    checker = judged_checker(spec, hash_in(spec), *[language_slug("cpp17")] * 2)
    assert isinstance(checker, ProgramChecker)
    assert checker.reads_again


def test_files_by_name(read: Read) -> None:
    spec = read({"problem.xml": problem(judging='input-file="add.in" output-file="stdout"')})
    assert spec.file_names == FileNames("add.in", "")


def test_resources_that_are_compiled_with_solutions(read: Read) -> None:
    grader = (
        '<file path="files/gen.cpp" type="cpp.g++17" for-types="cpp.*" main="true">'
        '<assets><asset name="SOLUTION"/></assets></file></resources>'
    )
    spec = read({"problem.xml": problem().replace("</resources>", grader, 1)})
    [included] = spec.included
    assert (included.language, included.main, included.files[0][0]) == ("cpp", "gen.cpp", "gen.cpp")


def test_validators_of_testlib_become_those_of_the_format(read: Read) -> None:
    validator = (
        '<validators><validator><source path="files/val.cpp" type="cpp.g++17"/><testset>'
        "<input-path-pattern>files/tests/validator-tests/%02d</input-path-pattern>"
        '<tests><test verdict="valid"/><test verdict="invalid" group="g"/></tests></testset>'
        "</validator></validators>"
    )
    bad = {"files/tests/validator-tests/02": "x"}
    spec = read({"problem.xml": problem(assets=validator), **bad})
    [program] = spec.input_validators
    assert sorted(file.name for file in program.files) == ["confirm.cpp", "testlib.h", "val.inc"]
    assert '#include "val.inc"' in text(spec, program.main)
    [wrong] = spec.invalid_inputs
    assert (text(spec, wrong.input), wrong.input_validator_args.everyone) == (
        "x",
        ("--testset", "tests", "--group", "g"),
    )


def test_tests_of_a_checker_are_examples(read: Read) -> None:
    testset = "<testset>" + "".join(
        f"<{kind}-path-pattern>c/%d{ending}</{kind}-path-pattern>"
        for kind, ending in (("input", ""), ("output", ".o"), ("answer", ".a"))
    )
    tests = '<tests><test verdict="ok"/><test verdict="wrong-answer"/></tests></testset>'
    files = {f"c/{number}{ending}": f"{number}{ending}" for number in (1, 2) for ending in ("", ".o", ".a")}
    spec = read({"problem.xml": problem(checker=CHECKER.format(testset + tests)), **files})
    assert [(each.name, each.valid, text(spec, each.output)) for each in spec.output_examples] == [
        ("valid_output/01", True, "1.o"),
        ("invalid_output/02", False, "2.o"),
    ]
    assert spec.output_examples[0].output_validator_args == ("case_sensitive",)


GROUPED = (
    '<test group="b" points="0"/><test group="a" points="2.5"/><test group="a" points="2.5"/>'
    '<test group="0" points="0" sample="true"/><test group="b" points="0"/>'
)
GROUPS = (
    '<groups><group name="b" points="50" points-policy="complete-group"><dependencies>'
    '<dependency group="a"/><dependency group="0"/></dependencies></group>'
    '<group name="a" points-policy="each-test"/><group name="0" points-policy="complete-group"/></groups>'
)


def five() -> dict[str, str]:
    return {f"tests/{number:02}{ending}": "\n" for number in range(1, 6) for ending in ("", ".a")}


def test_groups_are_judged_after_those_they_depend_on(read: Read) -> None:
    spec = read({"problem.xml": problem(tests=GROUPED, groups=GROUPS), **five()})
    assert [(group.name, group.points, group.scoring, group.depends_on) for group in spec.groups] == [
        ("sample", Decimal(0), GroupScoring.PASS_FAIL, ()),
        ("secret/a", Decimal(5), GroupScoring.SUM, ()),
        ("secret/b", Decimal(50), GroupScoring.PASS_FAIL, ("secret/a", "sample")),
    ]
    assert [case.name for case in spec.cases] == [
        "sample/04", "secret/a/02", "secret/a/03", "secret/b/01", "secret/b/05",
    ]  # fmt: skip
    assert spec.cases[1].input_validator_args.everyone == ("--testset", "tests", "--group", "a")
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == 55


def test_without_points_of_tests_a_checker_gives_any(read: Read) -> None:
    tests = '<test points="0"/><test points="0"/>'
    spec = read({"problem.xml": problem(tests=tests, checker=OWN_CHECKER.format(""))})
    assert [(group.unbounded, group.scoring) for group in spec.groups] == [(True, GroupScoring.SUM)]
    assert isinstance(spec.validator, OutputValidator)
    assert spec.validator.scores


def test_what_a_standard_package_leaves_out_is_made(read: Read) -> None:
    tests = '<test method="manual" sample="true"/><test method="generated" cmd="gen -n 5 \'a b\'"/>'
    spec = read({"problem.xml": problem(tests=tests)}, without=("tests/01.a", "tests/02", "tests/02.a"))
    made = [(str(each.file), str(each.packed_as), each.program.main.name) for each in spec.recipes]
    assert made == [
        ("data/secret/02.in", "tests/02", "gen.cpp"),
        ("data/sample/01.ans", "tests/01.a", "ok.cpp"),
        ("data/secret/02.ans", "tests/02.a", "ok.cpp"),
    ]
    assert spec.recipes[0].arguments == ("-n", "5", "a b")
    assert spec.recipes[2].input == PurePosixPath("data/secret/02.in")
    assert spec.source == spec.root.parent.parent / "p"


def test_one_call_of_a_generator_may_write_several_tests(read: Read) -> None:
    tests = '<test cmd="gen 2" from-file="3"/><test cmd="gen 2" from-file="4"/>'
    spec = read({"problem.xml": problem(tests=tests)}, without=("tests/01", "tests/02"))
    made = [(str(each.packed_as), each.arguments, each.writes) for each in spec.recipes]
    assert made == [("tests/01", ("2",), "3"), ("tests/02", ("2",), "4")]


@pytest.mark.parametrize(
    ("tests", "sentence"),
    [
        ('<test method="manual"/>', "nothing says how it is made"),
        *(
            (f'<test cmd="gen 1" from-file="{name}"/>', "the name of a file is expected")
            for name in ("../2", "/etc/passwd", "a/2", "-2", "..", "2&#10;3", "2" * 101)
        ),
        ('<test cmd="other 1"/>', "the generator 'other' is not in the package"),
        ('<test cmd="gen 1 | sort"/>', "more than a generator with arguments"),
        ('<test cmd="gen \'"/>', "more than a generator with arguments"),
        ("<test cmd=\"../../bin/sh -c 'x'\"/>", "is not in the package"),
    ],
)
def test_what_nothing_here_can_make_is_refused(read: Read, tests: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read({"problem.xml": problem(tests=tests)}, without=("tests/01", "tests/01.a"))


def test_line_ends_of_windows_become_ours(read: Read) -> None:
    spec = read({"tests/01": b"1 2\r\n" * 300_000, "tests/01.a": b"\r3\r\n\r"})
    assert spec.path(spec.cases[0].input).read_bytes() == b"1 2\n" * 300_000
    assert text(spec, spec.cases[0].answer).encode() == b"\n3\n\n", "read in text mode"
    assert spec.cases[0].answer is not None
    assert spec.path(spec.cases[0].answer).read_bytes() == b"\r3\n\r"
    assert any(warning.startswith("2 files of test data had CRLF") for warning in spec.warnings)


@pytest.mark.parametrize(
    "pattern",
    ["tests/%s", "tests/%999999d", "tests/%n", "tests/x", "%d%d", "../%d", "/etc/%d", "tests/%0d", ""],
)
def test_a_pattern_that_is_no_number_in_a_path_is_refused(read: Read, pattern: str) -> None:
    with pytest.raises(PackageRefusedError, match=r"input-path-pattern is .* is expected"):
        read({"problem.xml": problem(pattern=pattern)})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (problem(groups=GROUPS.replace("each-test", "some"), tests=GROUPED), "policy 'some' is not"),
        (problem(tests=TESTS.replace("sample", 'points="-1" sample')), "is negative"),
        (problem(tests=TESTS.replace("sample", 'points="1e99" sample')), "no number a judge could use"),
        (problem(tests='<test group="../x" points="1"/><test points="1"/>'), "cannot name a group"),
        (problem(tests=GROUPED, groups=GROUPS.replace('"0"/></d', '"z"/></d')), "'z', which has no tests"),
        (problem(tests=GROUPED, groups=GROUPS.replace('"0"/></d', '"b"/></d')), "depends on itself"),
        (problem(solutions=SOLUTIONS.replace("solutions/ok.cpp", "../ok.cpp")), "is not in the package"),
        (problem(solutions=SOLUTIONS.replace("solutions/ok.cpp", "/etc/passwd")), "is not in the package"),
        (problem(checker=""), "the package has no checker"),
        (problem(judging='run-count="2"'), "needs an interactor"),
        (problem(judging='run-count="9"'), "runs once or twice"),
        (problem().replace("1500", "0"), "time-limit must be above 0"),
        (problem().replace('testset name="tests"', 'testset name="other"'), "no testset named 'tests'"),
        (problem().replace("<problem ", "<contest ").replace("</problem>", "</contest>"), "is expected, not"),
        (problem()[:-9], r"problem.xml \(line 21\) is not readable XML"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><problem/>", "uses the entity 'a', and entities are not taken"),
        ("<!DOCTYPE x SYSTEM 'http://x/x.dtd'><problem>&b;</problem>", "entities are not taken"),
        ("<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><problem>&a;</problem>", "entities are not"),
        ("<problem>" * 30, "is nested more than 20 deep"),
        ("<problem/>", "the problem has no name"),
    ],
    ids=lambda text: text[-30:],
)  # fmt: skip
def test_what_is_wrong_or_hostile_is_said(read: Read, given: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read({"problem.xml": given, **five()})


def test_counts_have_a_limit(tmp_path: Path) -> None:
    root = write_package(tmp_path / "p", {**PLAIN, "problem.xml": problem(tests="<test/>" * 60)})
    options = ReadingOptions(limits=replace(ReadingLimits(), files=50))
    with pytest.raises(PackageRefusedError, match="has more than 50 tests") as refused:
        read_package(root, tmp_path / "into", options)
    assert refused.value.reason is Reason.TOO_LARGE


def test_a_long_chain_of_groups_is_put_in_order_at_once() -> None:
    count = 50_000
    needs = {str(n): (str(n + 1),) if n + 1 < count else () for n in range(count)}
    assert in_order(needs, "problem.xml") == [str(n) for n in reversed(range(count))]


def test_a_link_out_of_the_package_is_refused(tmp_path: Path) -> None:
    root = write_package(tmp_path / "p", PLAIN)
    (root / "tests/01").unlink()
    (root / "tests/01").symlink_to("/etc/passwd")
    with pytest.raises(PackageRefusedError, match="tests/01"):
        read_package(root, tmp_path / "into")


def test_the_problems_of_a_contest(tmp_path: Path) -> None:
    root = tmp_path / "contest"
    write_package(root, {"contest.xml": "<contest/>", "statements/english/x.pdf": b""})
    for name in ("a", "b"):
        write_package(root / "problems" / name, PLAIN)
    found = read_problems(root, tmp_path / "into")
    assert (found.format, len(found.problems)) == (FormatVersion.POLYGON, 2)


def test_generators_are_run_one_after_the_other(read: Read) -> None:
    other = '<executable><source path="files/other.cpp" type="cpp.g++17"/></executable></executables>'
    tests = "".join(f'<test cmd="{name} {number}"/>' for number, name in enumerate(("other", "gen", "other")))
    xml = problem(tests=tests).replace("</executables>", other)
    spec = read(
        {"problem.xml": xml, "files/other.cpp": "//"},
        without=("tests/01", "tests/01.a", "tests/02", "tests/02.a"),
    )
    assert [each.program.name for each in spec.recipes[:3]] == ["gen", "other", "other"]
    programs = {each.program for each in spec.recipes}
    assert all(file.is_relative_to(each.at) for each in programs for file in each.files)


def test_what_one_file_multiplies_has_a_limit(tmp_path: Path) -> None:
    again = '<solution tag="accepted"><source path="solutions/ok.cpp" type="cpp.g++17"/></solution>' * 300
    root = write_package(tmp_path / "p", {**PLAIN, "problem.xml": problem(solutions=again)})
    options = ReadingOptions(limits=replace(ReadingLimits(), files=50))
    with pytest.raises(PackageRefusedError, match="the problem would have more than 200 files"):
        read_package(root, tmp_path / "into", options)


def test_a_command_that_is_too_long_is_refused(read: Read) -> None:
    with pytest.raises(PackageRefusedError, match="more than a generator"):
        read({"problem.xml": problem(tests=f'<test cmd="gen {"1 " * 3000}"/>')}, without=("tests/01",))


def test_only_so_many_samples_are_shown(read: Read) -> None:
    shown = json.dumps({**SHOWN, "sampleTests": [{}] * 5000})
    assert len(read({"statements/english/problem-properties.json": shown}).samples) == 100


def test_what_lies_at_the_top_decides_the_format(read: Read) -> None:
    assert read({"files/problem.json": "{}", "tests/init.yml": ""}).format is FormatVersion.POLYGON
