"""Problems of DMOJ: init.yml, and data beside it or in an archive."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from collections.abc import Callable
from decimal import Decimal
from itertools import count
from pathlib import Path

import pytest

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.checker import Convention, IcpcChecker, LineChecker
from deepoj_packages.foreign.patterns import matches
from deepoj_packages.judge_data import judged_checker, judged_suite
from deepoj_packages.options import ReadingOptions, Told
from deepoj_packages.read_package import read_package
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import (
    FormatVersion,
    GroupScoring,
    OutputValidator,
    ProblemSpec,
)
from deepoj_packages.testing import Files, hash_in, write_package

CASES = "test_cases:\n- {in: 1.in, out: 1.out, points: 5}\n- {in: 2.in, out: 2.out}\n"
PLAIN: Files = {
    "init.yml": "points: 3\n" + CASES,
    **{f"{n}.{ending}": f"{n}\n" for n in (1, 2) for ending in ("in", "out")},
    "check.cpp": "int main() {}",
    "check.py": "",
}
WEIGHED = "{name: linematches, args: {point_distribution: [1, 3]}}"
PATTERNS = r"{input_format: '(?P<case>\w)\.A', output_format: '(?P<case>.)\.b', case_points: [2, 3]}"
HOSTILE_FLAGS = (
    "-D", "-DA B", '-DA="x"', "-DA=1 #include", "-DA(x)=x", "-I/etc", "-include", "@file", "-fplugin=x.so",
)  # fmt: skip
HOSTILE_ORDERS = (
    "{output_file} {input_file}",
    "x {input_file} {output_file} {answer_file}",
    "{input_file} {output_file} {answer_file} {input_file}",
    "{input_file.__class__}",
    "{input_file}" * 3,
    '{input_file} "',
    "{0}",
)
Read = Callable[..., ProblemSpec]


def bridged(args: str, files: str = "check.cpp") -> str:
    return f"checker: {{name: bridged, args: {{files: {files}, {args}}}}}\n{CASES}"


def zipped(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, f"{name}\n")
    return packed.getvalue()


@pytest.fixture
def read(tmp_path: Path) -> Read:
    numbers = count()

    def made(init: str = "", *, told: Told = Told(), **files: str | bytes) -> ProblemSpec:  # noqa: B008 — a value
        named = {name.replace("__", "."): content for name, content in files.items()}
        given = {**PLAIN, **({"init.yml": init} if init else {}), **named}
        place = write_package(tmp_path / "sums", given)
        return read_package(place, tmp_path / f"into-{next(numbers)}", ReadingOptions(told=told))

    return made


def shape(spec: ProblemSpec) -> list[tuple[str, Decimal, GroupScoring, tuple[str, ...]]]:
    return [(group.name, group.points, group.scoring, group.depends_on) for group in spec.groups]


def test_cases_inherit_what_they_do_not_say(read: Read) -> None:
    spec = read()
    assert (spec.format, spec.short_name, spec.title) == (FormatVersion.DMOJ, "sums", "sums")
    assert shape(spec) == [("secret", Decimal(8), GroupScoring.SUM, ())]
    assert [int(case.points) for case in spec.cases] == [5, 3]
    assert judged_suite(spec, hash_in(spec)).full_score.as_decimal() == 8
    assert judged_checker(spec, hash_in(spec)) == IcpcChecker(case_sensitive=True)


def test_what_the_format_leaves_open_is_told_or_said(read: Read) -> None:
    spec = read()
    words = ("title", "time limit", "memory limit", "statement")
    assert [word for word in words if not any(word in each for each in spec.warnings)] == []
    told = Told(title="Two sums", time_ms=700, memory_mib=64)
    spec = read(told=told, problem__md="Add.", problem__zh__md="求和。")
    assert (spec.title, spec.limits.time_ms, spec.limits.memory_mib) == ("Two sums", 700, 64)
    assert [each.language for each in spec.statements] == ["en", "zh"]
    assert not any("this format" in each for each in spec.warnings)


def test_batches_depend_on_earlier_ones_and_on_every_gate(read: Read) -> None:
    spec = read(
        "test_cases:\n"
        "- {in: 1.in, out: 1.out, points: 0}\n"
        "- {points: 10, batched: [{in: 1.in, out: 1.out}, {in: 2.in, out: 2.out}]}\n"
        "- {in: 1.in, out: 1.out, points: 2}\n"
        "- {in: 2.in, out: 2.out, points: 2.5}\n"
        "- {points: 20, dependencies: [1], batched: [{in: 1.in, out: 1.out}]}\n"
    )
    assert shape(spec) == [
        ("secret/gate1", Decimal(0), GroupScoring.MIN, ()),
        ("secret/batch1", Decimal(10), GroupScoring.MIN, ("secret/gate1",)),
        ("secret/cases3", Decimal("4.5"), GroupScoring.SUM, ("secret/gate1",)),
        ("secret/batch2", Decimal(20), GroupScoring.MIN, ("secret/gate1", "secret/batch1")),
    ]
    assert [group.breaks_on_reject for group in spec.groups] == [True, True, False, True]
    judged_suite(spec, hash_in(spec))


def test_pretests_are_gates(read: Read) -> None:
    spec = read("pretest_test_cases:\n- {in: 1.in, out: 1.out, points: 9}\n" + CASES)
    assert [(group.name, int(group.points)) for group in spec.groups] == [
        ("secret/gate1", 0),
        ("secret/cases2", 6),
    ]


def test_names_in_the_archive_tell_cases_and_batches(read: Read) -> None:
    data = zipped(
        "s.1.in", "s.1.out", "s.2-1.in", "s.2-1.out", "s.2-10.in", "s.2-10.out", "s.2-9.in", "s.2-9.out", "x"
    )
    spec = read("archive: d.zip\n", d__zip=data)
    assert [group.name for group in spec.groups] == ["secret/cases1", "secret/batch1"]
    assert [spec.path(case.input).read_text() for case in spec.cases] == [
        "s.1.in\n", "s.2-1.in\n", "s.2-9.in\n", "s.2-10.in\n",
    ]  # fmt: skip
    own = "archive: d.zip\ntest_cases: " + PATTERNS
    spec = read(own, d__zip=zipped("q.a", "q.b", "7.a", "7.b"))
    assert [int(case.points) for case in spec.cases] == [2, 3]
    assert [spec.path(case.input).read_text() for case in spec.cases] == ["q.a\n", "7.a\n"]


def test_a_generator_prints_the_answer_to_standard_error(read: Read) -> None:
    init = "generator: check.cpp\ntest_cases:\n- {generator_args: [1, 2]}\n- {in: 1.in, out: 1.out}\n"
    spec = read(init)
    assert [(str(each.packed_as), each.arguments, each.to_errors) for each in spec.recipes] == [
        ("made-by-generator/secret/001.in", ("1", "2"), False),
        ("made-by-generator/secret/001.ans", ("1", "2"), True),
    ]
    made = {f"made-by-generator/secret/001.{ending}": ending for ending in ("in", "ans")}
    again = read_package(
        write_package(spec.root.parent.parent / "sums", made), spec.root.parent.parent / "in2"
    )
    assert (again.recipes, again.path(again.cases[0].input).read_text()) == ((), "in")


@pytest.mark.parametrize(
    ("checker", "same"),
    [
        ("rstripped", LineChecker()),
        (
            "{name: floats, args: {precision: 3}}",
            IcpcChecker(case_sensitive=True, absolute="1e-3", relative="1e-3"),
        ),
        ("floatsabs", IcpcChecker(case_sensitive=True, absolute="1e-6")),
        ("{name: floats, args: {error_mode: relative}}", IcpcChecker(case_sensitive=True, relative="1e-6")),
    ],
)  # fmt: skip
def test_checkers_that_have_an_equal_or_nearly(read: Read, checker: str, same: object) -> None:
    spec = read(f"checker: {checker}\n{CASES}")
    assert judged_checker(spec, hash_in(spec)) == same
    assert any(warning.startswith("DMOJ's checker") for warning in spec.warnings)


@pytest.mark.parametrize(
    ("checker", "output", "answer", "said"),
    [
        ("easy", b"Ba c\n", b"CAB", 0),
        ("easy", b"abb", b"aab", 1),
        ("sorted", b"2  1\n\n3\r\n", b"3\n2 1\n", 0),
        ("sorted", b"1 2\n3\n", b"3\n2 1\n", 1),
        ("{name: sorted, args: {split_on: whitespace}}", b"1 2\n3\n", b"3\n2 1\n", 0),
        ("unordered", b"1 1 2", b"1 2 2", 1),
        ("linecount", b"1\n\n2 \n3", b"1\n2\n3\n", 0),
        ("linecount", b"1\n5\n", b"1\n2\n3\n4", "partial 1/4"),
        ("linecount", b"1\n2\n3\n", b"1\n2\n", 1),
        ("linecount", b"5\n", b"1\n", 1),
        (WEIGHED, b"1\n2\n", b"1\n2\n", 0),
        (WEIGHED, b"0\n2\n", b"1\n2\n", "partial 3/4"),
        (WEIGHED, b"1\n", b"1\n2\n", 1),
        (WEIGHED.replace("[", "[1, "), b"1\n", b"1\n2\n", 3),
        (WEIGHED.replace("]", "], filler_lines_required: false"), b"1\n", b"1\n2\n", "partial 1/4"),
    ],
)  # fmt: skip
def test_comparisons_of_dmoj_run_as_a_program(
    read: Read, tmp_path: Path, checker: str, output: bytes, answer: bytes, said: int | str
) -> None:
    spec = read(f"checker: {checker}\n{CASES}")
    assert isinstance(spec.validator, OutputValidator)
    assert spec.validator.convention is Convention.COCI
    judged_checker(spec, hash_in(spec), LanguageSlug("python3"))
    (tmp_path / "output").write_bytes(output)
    (tmp_path / "answer").write_bytes(answer)
    program = [sys.executable, str(spec.path(spec.validator.program.main)), "input", "output", "answer"]
    words = spec.cases[0].output_validator_args
    done = subprocess.run([*program, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stderr.strip() if done.returncode == 7 else done.returncode) == said
    assert spec.validator.scores or done.returncode != 7


def test_programs_that_look_at_answers(read: Read) -> None:
    spec = read(f"checker: {{name: bridged, args: {{files: check.cpp, lang: CPP17, type: coci}}}}\n{CASES}")
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.validator.interactive) == (Convention.COCI, False)
    spec = read("interactive: {files: [check.cpp]}\nunbuffered: true\ntest_cases:\n- {in: 1.in}\n")
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.convention, spec.validator.interactive) == (Convention.DMOJ, True)
    assert spec.cases[0].answer is None
    assert any("programs must flush" in warning for warning in spec.warnings)


def test_what_flags_define_stands_before_the_sources_and_what_is_of_taste_is_said(read: Read) -> None:
    init = "checker: {name: bridged, args: {files: [check.cpp, h.h], flags: [-DA, -DB=7, -O3, -std=c++11]}}\n"
    spec = read(init + CASES, h__h="//")
    assert isinstance(spec.validator, OutputValidator)
    contents = {file.name: spec.path(file).read_text() for file in spec.validator.program.files}
    assert contents == {
        "check.cpp": "#define A 1\n#define B 7\n#line 1\nint main() {}",
        "h.h": "//",
    }
    assert [warning for warning in spec.warnings if "the flag" in warning] == [
        f"init.yml: checker: args: the flag {flag} is not used here: a program is compiled as submissions in "
        "its language are"
        for flag in ("-O3", "-std=c++11")
    ]


def test_generators_of_one_source_with_different_flags_are_two(read: Read) -> None:
    tests = "".join(f"- {{generator: {{source: check.cpp, flags: [-DN={n}]}}}}\n" for n in (1, 2, 1))
    made = [recipe.program for recipe in read("test_cases:\n" + tests).recipes]
    assert len({program.at for program in made}) == 2


@pytest.mark.parametrize(
    ("kind", "order", "convention", "told"),
    [
        ("default", "{input_file} {output_file} {answer_file}", Convention.DMOJ, ()),
        ("default", "{input_file} {output_file} {answer_file} -x 'a b'", Convention.DMOJ, ("-x", "a b")),
        ("default", "{input_file} {output_file}", Convention.QDUOJ, ()),
        ("default", "{input_file} {output_file} 5", Convention.QDUOJ, ("5",)),
        ("coci", "{input_file} {output_file} {answer_file} 1", Convention.COCI, ("1",)),
        ("peg", "{answer_file} {output_file} {input_file} 1", Convention.PEG, ("1",)),
    ],
)
def test_a_program_may_be_told_more_than_its_files(
    read: Read, kind: str, order: str, convention: Convention, told: tuple[str, ...]
) -> None:
    args = f'{{files: check.cpp, type: {kind}, args_format_string: "{order}"}}'
    spec = read(f"checker: {{name: bridged, args: {args}}}\n{CASES}")
    assert isinstance(spec.validator, OutputValidator)
    assert spec.validator.convention is convention
    assert {case.output_validator_args for case in spec.cases} == {told}


def test_a_grader_is_linked_with_submissions(read: Read) -> None:
    spec = read(f"signature_grader: {{entry: h.c, header: h.h}}\n{CASES}", h__c="//", h__h="//")
    assert [(each.language, each.main) for each in spec.included] == [("c", "h.c"), ("cpp", "h.cpp")]
    for included in spec.included:
        name, file = included.files[-1]
        assert name == f"around_submission.{included.language}"
        lines = ("#define SIGNATURE_GRADER", '#include "h.h"', "#define main main_of_submission")
        wanted = "\n".join((*lines, f'#include "{included.source_name}"', ""))
        assert spec.path(file).read_text() == wanted


def test_line_ends_become_ours_unless_data_is_binary(read: Read) -> None:
    spec = read("", **{"1.in": b"1\r\n"})
    assert spec.path(spec.cases[0].input).read_bytes() == b"1\n"
    spec = read("binary_data: true\n" + CASES, **{"1.in": b"1\r\n"})
    assert spec.path(spec.cases[0].input).read_bytes() == b"1\r\n"


@pytest.mark.parametrize(
    ("init", "sentence"),
    [
        ("test_cases++: 'import os'\n", "the key 'test_cases\\+\\+' is Python that DMOJ runs"),
        ("test_cases:\n- {in: 1.in, points+: 'x'}\n", "the key 'points\\+' is Python"),
        ("custom_judge: x.py\n" + CASES, "custom_judge is Python"),
        ("checker: check.py\n" + CASES, "the checker check.py is Python"),
        ("checker: guess\n" + CASES, "'guess' has no equal here"),
        ("checker: {name: linematches, args: {point_distribution: [0, 0]}}\n" + CASES, "above nothing"),
        ("checker: {name: linematches, args: {point_distribution: [1, x]}}\n" + CASES, "above nothing"),
        ("checker: {name: sorted, args: {split_on: words}}\n" + CASES, "split_on"),
        (bridged("flags: [-x]"), "flag '-x' cannot be used"),
        *((bridged(f"flags: ['{flag}']"), "the flag") for flag in HOSTILE_FLAGS),
        (bridged(f"flags: [{'-DA,' * 51}]"), "more than 50 flags"),
        (bridged("flags: [-DA]", "check.py"), "only C and C\\+\\+ know"),
        (bridged("type: default", "[check.cpp, ./check.cpp]"), "under one name"),
        *((bridged(f"args_format_string: '{order}'"), "args_format_string is") for order in HOSTILE_ORDERS),
        ("checker: {name: bridged, args: {files: check.cpp, type: odd}}\n" + CASES, "type 'odd' cannot"),
        ("checker: {name: bridged, args: {files: ../x.cpp}}\n" + CASES, "is not in the package"),
        ("checker: {name: floats, args: {precision: 1e9}}\n" + CASES, "precision must be"),
        ("test_cases:\n- {in: 1.in, out: 1.out, checker: easy}\n", "of some cases only"),
        ("test_cases:\n- {in: ../init.yml, out: 1.out}\n", "in names '../init.yml', which is not"),
        ("test_cases:\n- {in: /etc/passwd, out: 1.out}\n", "is not in the package"),
        ("test_cases:\n- 3\n", "must be a list of maps"),
        ("test_cases:\n- {in: 1.in, points: -1}\n", "is negative"),
        ("test_cases:\n- {in: 1.in, points: 0}\n", "no test case is worth points"),
        ("test_cases:\n- {batched: [{in: 1.in}], dependencies: [1]}\n", "batches that are not earlier"),
        ("test_cases:\n- {batched: [{in: 1.in}], dependencies: [x]}\n", "batches that are not earlier"),
        ("generator: check.cpp\ntest_cases:\n- {in: 1.in, generator_args: [1]}\n", "case 1 has an input and"),
        ("points: 1\n", "without an archive"),
        ("archive: no.zip\n", "the archive 'no.zip' is not in the package"),
        ("archive: ../no.zip\n", "is not in the package"),
        ("archive: 1.in\n", "neither a directory nor a zip"),
        ("a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"{after}: &{after} [{', '.join([f'*{name}'] * 9)}]\n"
            for name, after in zip("abcdef", "bcdefg", strict=True)
        ), "once its aliases are written out"),
        ("x: !!python/object/apply:os.system [id]\n", "tags are not taken"),
        ("- 1\n", "must be a map"),
    ],
    ids=lambda text: text[-30:],
)  # fmt: skip
def test_what_is_wrong_or_hostile_is_said(read: Read, init: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        read(init)


def test_a_checker_that_needs_testlib_must_bring_it(read: Read) -> None:
    init = f"checker: {{name: bridged, args: {{files: check.cpp, type: testlib}}}}\n{CASES}"
    with pytest.raises(PackageRefusedError, match=r"check\.cpp needs testlib\.h"):
        read(init, check__cpp='#include "testlib.h"')


def test_a_pattern_that_never_ends_is_stopped() -> None:
    with pytest.raises(PackageRefusedError, match="list the test cases instead") as refused:
        matches(r"(?P<case>(a+)+)+$", ["a" * 60 + "b"], "init.yml: input_format")
    assert refused.value.reason is Reason.TOO_LARGE


@pytest.mark.parametrize("pattern", ["(", "(?P<case>" * 200, "a{99999999999}", "x" * 2000])
def test_what_is_no_pattern_is_said(pattern: str) -> None:
    with pytest.raises(PackageRefusedError, match=r"init\.yml: input_format is"):
        matches(pattern, ["a"], "init.yml: input_format")


def test_a_pattern_without_a_case_is_refused(read: Read) -> None:
    with pytest.raises(PackageRefusedError, match="finds no case in"):
        read("archive: d.zip\ntest_cases: {input_format: '.'}\n", d__zip=zipped("a.in"))


def test_the_archive_inside_is_guarded_too(read: Read) -> None:
    with pytest.raises(PackageRefusedError, match="name"):
        read("archive: d.zip\n", d__zip=zipped("../1.in"))
