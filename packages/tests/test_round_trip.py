"""Read, export, read again: the same problem."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.read_package import read_directory, read_package
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import OutputValidator, ProblemSpec
from deepoj_packages.testing import Files, PackageReader

HEAD = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n"
RICH: Files = {
    "problem.yaml": HEAD + "name: {en: Add, no: 'Legg: sammen'}\ntype: [scoring, interactive]\n"
    "version: 1.10\nlicense: cc by\nrights_owner: Us\nembargo_until: 2030-01-01\nkeywords: ['yes', dp]\n"
    "credits:\n  authors: [Ada <a@x.example>, {name: Bob, kattis: bob}]\n  translators: {no: [Carl]}\n"
    "source: {name: NWERC, url: http://x.example}\nlanguages: [cpp]\n"
    "limits: {time_limit: 1.25, time_multipliers: {time_limit_to_tle: 4}, memory: 64, validation_time: 9}\n",
    "statement/problem.no.tex": "x",
    "statement/img/a.png": b"\x89PNG",
    "attachments/tool/run.py": "",
    "output_validator/judge/main.cpp": "int main() {}",
    "output_validator/judge/lib.h": "",
    "data/sample/1.interaction": ">1\n",
    "data/sample/test_group.yaml": "full_feedback: false\n",
    "data/secret/test_group.yaml": "max_score: 120\n",
    "data/secret/a/1.in": "1\n",
    "data/secret/a/1.ans": "1\n",
    "data/secret/a/1.png": b"\x89PNG",
    "data/secret/a/1.yaml": "hint: h\ndescription: 'no'\noutput_validator_args: [x, '2']\nargs: ['', b]\n",
    "data/secret/a/1.files/maps/a.in": "map",
    "data/secret/a/test_group.yaml": "max_score: 20\nrequire_pass: sample\n",
    **{f"data/secret/b/{name}.{ending}": "" for name in ("1", "d/2", "d/3") for ending in ("in", "ans")},
    "data/secret/b/test_group.yaml": "max_score: 100\nscore_aggregation: sum\nrequire_pass: [secret/a]\n",
    "data/invalid_input/x.in": "bad",
    "data/invalid_input/x.yaml": "input_validator_args: {check.py: [a]}\n",
    **{f"data/valid_output/y.{ending}": "z" for ending in ("in", "ans", "out")},
    **{f"data/invalid_answer/z.{ending}": "z" for ending in ("in", "ans")},
    "answer_validators/a.py": "",
    "input_validators/dir/v.cpp": "",
    "input_validators/dir/v.h": "",
    "submissions/accepted/java/Main.java": "",
    "submissions/accepted/java/Two.java": "",
    "submissions/time_limit_exceeded/slow.py": "",
    "submissions/odd/p.py": "",
    "submissions/rejected/ce.c": "/* @EXPECTED_RESULTS@: COMPILER-ERROR */",
    "submissions/tagged/scored.py": "# @EXPECTED_SCORE@: 20\n# @EXPECTED_GRADES@ AC WA\n",
    "submissions/compile_error/ce.c": "",
    "submissions/submissions.yaml": (
        "time_limit_exceeded: {permitted: [TLE]}\n"
        "odd/p.py: {score: 20, secret/a: {permitted: [AC]}, secret/b: {required: [WA], message: m}}\n"
        "odd/*: {score: [10, 30], language: python3}\n"
        "accepted/java: {entrypoint: Main, model_solution: true, authors: [Ada]}\n"
    ),
}


def test_a_modern_package_comes_back_equal(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(RICH, without=("data/secret", "problem.yaml"))
    export_directory(spec, tmp_path / "again" / "add")
    again = read_directory(tmp_path / "again" / "add")
    assert again == spec
    assert (again.warnings, again.unused) == (spec.warnings, spec.unused)
    for case in spec.cases:
        assert again.path(case.input).read_bytes() == spec.path(case.input).read_bytes()


def test_a_zip_holds_the_same(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(RICH, without=("data/secret", "problem.yaml"))
    for export in ("one", "two"):
        export_directory(spec, tmp_path / export / spec.short_name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path / "one", spec.short_name)
    assert read_package(Path(packed), tmp_path / "unpacked") == spec


def contents(directory: Path) -> dict[str, bytes]:
    found = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


def test_a_plain_package_comes_back_equal(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern()
    export_directory(spec, tmp_path / "again" / "add")
    assert read_directory(tmp_path / "again" / "add") == spec


def test_cases_beside_directories_of_cases_come_back_equal(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern({"data/secret/a/2.in": "", "data/secret/a/2.ans": ""})
    assert [case.name for case in spec.cases] == ["sample/1", "secret/1", "secret/a/2"]
    export_directory(spec, tmp_path / "again" / "add")
    assert read_directory(tmp_path / "again" / "add") == spec


def test_a_legacy_package_becomes_the_same_problem(legacy: PackageReader, tmp_path: Path) -> None:
    spec = legacy(
        {
            "problem.yaml": "name: Add\nauthor: Ada\nvalidation: custom\nvalidator_flags: x y\n"
            "limits: {time_limit: 2, memory: 99}\n",
            ".timelimit": "2",
            "output_validators/v/main.py": "",
            "problem_statement/a.png": b"png",
            "data/sample/1.desc": "first\n",
            "submissions/time_limit_exceeded/t.py": "",
            "submissions/run_time_error/r.py": "",
        }
    )
    export_directory(spec, tmp_path / "again" / "add")
    again = read_directory(tmp_path / "again" / "add")
    assert without_places(again) == without_places(spec)
    assert [statement.file.name for statement in again.statements] == ["problem.en.md"]


def without_places(spec: ProblemSpec) -> ProblemSpec:
    """Statements and the validator lie elsewhere in the newer format."""
    nowhere = PurePosixPath()
    assert isinstance(spec.validator, OutputValidator)
    program = replace(spec.validator.program, at=nowhere, main=nowhere, files=())
    return replace(
        spec,
        statements=tuple(replace(each, file=nowhere) for each in spec.statements),
        images=tuple(PurePosixPath(image.name) for image in spec.images),
        validator=replace(spec.validator, program=program),
    )


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"data/secret/testdata.yaml": "accept_score: 0.5\n"}, "only whole points"),
        ({"data/secret/testdata.yaml": "accept_score: 2\n"}, "stops at its first rejected case"),
        ({"data/secret/testdata.yaml": "reject_score: 1\non_reject: continue\n"}, "earn points"),
        (
            {
                "data/secret/a/2.in": "",
                "data/secret/a/2.ans": "",
                "data/secret/testdata.yaml": "on_reject: continue\ngrader_flags: always_accept\n",
            },
            "both cases and directories",
        ),
    ],
)
def test_what_the_newer_format_cannot_say_is_refused(
    legacy: PackageReader, tmp_path: Path, files: Files, sentence: str
) -> None:
    scoring = {
        "problem.yaml": "name: Add\ntype: scoring\n",
        "data/testdata.yaml": "grader_flags: ignore_sample\n",
    }
    spec = legacy({**scoring, **files})
    with pytest.raises(PackageRefusedError, match=sentence):
        export_directory(spec, tmp_path / "again")
    assert not (tmp_path / "again").exists()
