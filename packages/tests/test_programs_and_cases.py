"""What version 2025-09 and the legacy format let a package say about how submissions are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.read_package import read_directory, read_package
from deepoj_packages.refusal import PackageRefusedError, Reason
from deepoj_packages.spec import OutputValidator, ProblemSpec
from deepoj_packages.testing import MODERN, PackageReader, write_package

HEAD = "problem_format_version: 2025-09\nname: Add\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n"


def exported(spec: ProblemSpec, place: Path) -> ProblemSpec:
    export_directory(spec, place / "add")
    return read_directory(place / "add")


def test_the_passes_of_a_problem_are_those_of_its_validator(modern: PackageReader, tmp_path: Path) -> None:
    validator = {"output_validator/v.py": ""}
    spec = modern({**validator, "problem.yaml": HEAD + "type: [multi-pass, interactive]\n"})
    assert isinstance(spec.validator, OutputValidator)
    assert (spec.validator.passes, spec.interactive) == (2, True)
    many = modern({**validator, "problem.yaml": HEAD + "type: multi-pass\nlimits: {validation_passes: 26}\n"})
    assert many.passes == 26
    assert not any("validation_passes" in warning for warning in many.warnings)
    assert exported(many, tmp_path / "again") == many


@pytest.mark.parametrize("passes", ["1", "101", "1e9"])
def test_passes_have_bounds(modern: PackageReader, passes: str) -> None:
    files = {
        "output_validator/v.py": "",
        "problem.yaml": HEAD + f"type: multi-pass\nlimits: {{validation_passes: {passes}}}\n",
    }
    with pytest.raises(PackageRefusedError, match="validation_passes is from 2 to 100"):
        modern(files)


def test_a_legacy_package_may_have_passes_and_included_files(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "name: Add\nvalidation: custom interactive multi-pass\n"
            "limits: {time_limit: 1, validation_passes: 5}\n",
            "output_validators/v.py": "",
            "include/cpp/grader.cpp": "",
            "data/secret/1.files/x": "",
        }
    )
    assert [name for name, _ in spec.cases[-1].files] == ["x"]
    assert (spec.passes, spec.interactive) == (5, True)
    assert [each.language for each in spec.included] == ["cpp"]


def test_included_files_keep_their_names_and_a_driver_is_known(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(
        {
            "include/default/lib/data.txt": "d",
            "include/python3/main.py": "import solution",
            "include/klingon/x": "",
            "include/loose.txt": "",
        }
    )
    default, python = spec.included
    assert (default.language, default.main, [name for name, _ in default.files]) == ("", "", ["lib/data.txt"])
    assert (python.language, python.main) == ("python3", "main.py")
    for name in ("include/klingon", "include/loose.txt"):
        assert any(warning.startswith(name) for warning in spec.warnings)
    assert exported(spec, tmp_path / "again") == spec


def test_cases_have_arguments_and_files(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(
        {
            "data/secret/test_group.yaml": "args: [-n, '5']\n",
            "data/secret/2.in": "",
            "data/secret/2.ans": "",
            "data/secret/2.yaml": "args: []\n",
            "data/secret/2.files/d/x.in": "no case",
            "data/secret/2.files/input.txt": "7",
        }
    )
    assert [case.name for case in spec.cases] == ["sample/1", "secret/1", "secret/2"]
    assert [case.arguments for case in spec.cases] == [(), ("-n", "5"), ()]
    assert [name for name, _ in spec.cases[-1].files] == ["d/x.in", "input.txt"]
    assert not spec.unused
    assert exported(spec, tmp_path / "again") == spec


def test_files_of_a_case_may_not_lead_out_of_the_package(tmp_path: Path) -> None:
    root = write_package(tmp_path / "add", {**MODERN, "data/secret/1.files/a": ""})
    (tmp_path / "secret").write_text("the judge's")
    (root / "data/secret/1.files/b").symlink_to(tmp_path / "secret")
    with pytest.raises(PackageRefusedError) as refused:
        read_package(root, tmp_path / "into")
    assert refused.value.reason is Reason.UNSAFE_ENTRY


def test_answers_may_be_submitted_instead_of_programs(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(
        {"problem.yaml": HEAD + "type: submit-answer\n", "submissions/accepted/all/1.out": "9"},
        without=("submissions",),
    )
    assert spec.answers_submitted
    assert (spec.submissions, spec.unused) == ((), ())
    assert exported(spec, tmp_path / "again") == spec


def test_a_draft_of_the_version_is_read_by_its_names(modern: PackageReader) -> None:
    spec = modern(
        {
            "problem.yaml": "problem_format_version: 2023-07-draft\nname: Add\ntype: interactive\n",
            "problem_statement/problem.en.md": "x",
            "output_validators/v.py": "",
        },
        without=("statement",),
    )
    assert (spec.interactive, len(spec.statements)) == (True, 1)


def test_a_draft_may_score_as_the_legacy_format_does(modern: PackageReader) -> None:
    group = "on_reject: break\naccept_score: {}\ngrader_flags: min\n"
    files = {
        "problem.yaml": "problem_format_version: 2023-07-draft\nname: Add\ntype: scoring\n",
        "data/testdata.yaml": "grader_flags: ignore_sample\n",
        "data/secret/testdata.yaml": "grader_flags: accept_if_any_accepted\n",
        **{f"data/secret/{name}/{name}.{ending}": "" for name in "ab" for ending in ("in", "ans")},
        "data/secret/a/testdata.yaml": group.format(40),
        "data/secret/b/testdata.yaml": group.format(60),
    }
    spec = modern(files, without=("data/secret",))
    assert [(each.name, int(each.points)) for each in spec.groups] == [("secret/a", 40), ("secret/b", 60)]
    with pytest.raises(PackageRefusedError, match="whether the validator gives scores"):
        modern({**files, "output_validator/v.py": ""}, without=("data/secret",))


CONSTANTS = "constants:\n  n: 5\n  big: {value: 1000000, tex: '10^6'}\n"


def test_constants_are_written_out_where_the_format_says(modern: PackageReader, tmp_path: Path) -> None:
    text = "{{n}} {{big}} {{big.tex}} {{big.value}} {{none}} {{ n }} {n}"
    spec = modern(
        {
            "problem.yaml": HEAD + CONSTANTS,
            "statement/problem.en.md": text,
            "statement/problem.sv.tex": r"\constant{big.tex} {{n}}",
            "input_validators/check.py": text,
            "include/default/c.py": text,
            "submissions/accepted/add.py": text,
            "data/secret/test_group.yaml": "output_validator_args: [float_tolerance, '1e-{{n}}']\n",
            "data/secret/1.in": text,
        }
    )
    filled = "5 1000000 10^6 1000000 {{none}} {{ n }} {n}"
    written = {statement.language: spec.path(statement.file).read_text() for statement in spec.statements}
    assert written == {"en": filled, "sv": "10^6 {{n}}"}
    for program in (spec.input_validators[0], spec.submissions[0].program):
        assert spec.path(program.main).read_text() == filled
    assert spec.path(spec.included[0].files[0][1]).read_text() == filled
    case = spec.cases[-1]
    assert case.output_validator_args == ("float_tolerance", "1e-5")
    assert spec.path(case.input).read_text() == text
    assert (modern.root / "statement/problem.en.md").read_text() == text
    assert exported(spec, tmp_path / "again") == spec


def test_constants_may_not_make_a_package_explode(modern: PackageReader) -> None:
    constants = {"problem.yaml": HEAD + f"constants: {{n: {'x' * 10_000}}}\n"}
    with pytest.raises(PackageRefusedError, match="larger than 4194304 bytes with its constants"):
        modern({**constants, "include/default/bomb": "{{n}}" * 500_000})
    bombs = {f"include/default/{number}": "{{n}}" * 400 for number in range(18)}
    with pytest.raises(PackageRefusedError, match="more than 64 MiB in all"):
        modern({**constants, **bombs, "include/default/bomb": ""})


def test_constants_are_no_paths_and_leave_no_other_file_changed(modern: PackageReader) -> None:
    constants = "constants: {n: '../../../escape', include: /etc/passwd}\n"
    spec = modern(
        {"problem.yaml": HEAD + constants, "include/default/{{n}}": "{{include}}", "attachments/a": "{{n}}"}
    )
    ((name, file),) = spec.included[0].files
    assert name == "{{n}}"
    assert spec.path(file).read_text() == "/etc/passwd"
    assert spec.path(spec.attachments[0]).read_text() == "{{n}}"
    assert spec.path(spec.attachments[0]).samefile(modern.root / "attachments/a")


def test_a_legacy_package_may_name_its_validator_as_the_newer_version_does(legacy: PackageReader) -> None:
    """As the examples of DOMjudge do."""
    files = {"problem.yaml": "name: Add\nvalidation: custom\n", "output_validator/v.py": ""}
    validator = legacy(files).validator
    assert isinstance(validator, OutputValidator)
    assert str(validator.program.main) == "output_validator/v.py"
