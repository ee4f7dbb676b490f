"""What the legacy format says about a problem."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import programs_of
from deepoj_languages.scripts import SCRIPTS
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import judged_checker, judging_programs, source_names
from deepoj_packages.languages import slugs_of
from deepoj_packages.options import ExportFormat
from deepoj_packages.read_package import read_directory, read_problems
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import (
    Credit,
    DefaultValidator,
    FormatVersion,
    GroupScoring,
    InputArgs,
    Outcome,
    OutputValidator,
    Person,
    Source,
    StatementFormat,
)
from deepoj_packages.testing import Files, PackageReader, hash_in, write_package


def test_a_plain_package(legacy: PackageReader) -> None:
    spec = legacy()
    assert (spec.format, spec.short_name, spec.title, spec.scoring) == (
        FormatVersion.LEGACY,
        "add",
        "Add",
        False,
    )
    assert spec.limits.time_ms == 2000
    assert spec.validator == DefaultValidator()
    assert [(group.name, group.points, group.depends_on) for group in spec.groups] == [
        ("sample", Decimal(0), ()),
        ("secret", Decimal(100), ("sample",)),
    ]
    assert [(case.name, case.is_sample) for case in spec.cases] == [("sample/1", True), ("secret/1", False)]
    assert [sample.name for sample in spec.samples] == ["sample/1"]
    assert (spec.warnings, spec.unused) == ((), ())


def test_who_made_it(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "author: Ada <ada@x.example> and Bob, Carl\nsource: NWERC\nsource_url: http://x.example\n"
            "license: cc by-sa\nrights_owner: Ada\nkeywords: dp graph\nuuid: 1e3\n"
        }
    )
    assert spec.metadata.credits == (
        Credit("authors", Person(name="Ada", email="ada@x.example")),
        Credit("authors", Person(name="Bob")),
        Credit("authors", Person(name="Carl")),
    )
    assert spec.metadata.sources == (Source("NWERC", "http://x.example"),)
    assert (spec.metadata.keywords, spec.metadata.uuid) == (("dp", "graph"), "1e3")


def test_limits_in_their_units(legacy: PackageReader) -> None:
    limits = legacy(
        {"problem.yaml": "limits: {memory: 512, output: 1, time_multiplier: 4, time_safety_margin: 3}\n"}
    ).limits
    assert (limits.memory_mib, limits.output_mib, limits.time_ms) == (512, 1, None)
    assert (limits.slowest_accepted_factor, limits.fastest_rejected_factor) == (Decimal(4), Decimal(3))


@pytest.mark.parametrize(
    ("files", "milliseconds"),
    [
        ({".timelimit": "3\n"}, 3000),
        ({"domjudge-problem.ini": "timelimit = '1.5'\nname='Other'\ncolor=#ff0000\n"}, 1500),
    ],
)
def test_the_time_limit_is_found_where_judges_put_it(
    legacy: PackageReader, files: Files, milliseconds: int
) -> None:
    spec = legacy({"problem.yaml": "name: Add\n", **files})
    assert spec.limits.time_ms == milliseconds
    assert spec.warnings == ()


def test_time_limits_that_differ_are_warned_about(legacy: PackageReader) -> None:
    spec = legacy({".timelimit": "3\n"})
    assert spec.limits.time_ms == 2000
    assert "different time limits" in spec.warnings[0]


def test_a_tex_statement_is_carried_as_it_is_and_names_the_problem(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "limits: {time_limit: 1}\n",
            "problem_statement/problem.sv.tex": "\\problemname{Addera}\nText\n",
            "problem_statement/figure.png": b"png",
        }
    )
    assert dict(spec.names)["sv"] == "Addera"
    assert [(each.language, each.format) for each in spec.statements] == [
        ("en", StatementFormat.MARKDOWN),
        ("sv", StatementFormat.TEX),
    ]
    assert [str(image) for image in spec.images] == ["problem_statement/figure.png"]
    assert not spec.warnings


def test_a_custom_validator_with_its_flags(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "validation: custom interactive\nvalidator_flags: -a 1\n",
            "output_validators/judge/judge.cpp": "int main() {}",
            "output_validators/judge/help.h": "",
            "data/secret/hard/testdata.yaml": "output_validator_flags: -b\ninput_validator_flags: --max 5\n",
            "data/secret/hard/2.in": "1 1\n",
            "data/sample/1.interaction": ">1\n<2\n",
        }
    )
    assert isinstance(spec.validator, OutputValidator)
    program = spec.validator.program
    assert (spec.interactive, program.language, program.main.name) == (True, "cpp", "judge.cpp")
    assert [file.name for file in program.files] == ["help.h", "judge.cpp"]
    hard = spec.cases[2]
    assert hard.name == "secret/hard/2"
    assert (hard.answer, hard.output_validator_args) == (None, ("-a", "1", "-b"))
    assert hard.input_validator_args == InputArgs(("--max", "5"))
    assert spec.cases[0].output_validator_args == ("-a", "1")
    assert (spec.samples[0].interaction, spec.samples[0].input) != (None, None)


def test_settings_come_from_the_nearest_file_above(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "data/testdata.yaml": "output_validator_flags: case_sensitive\n",
            "data/secret/a/2.in": "",
            "data/secret/a/2.ans": "",
            "data/secret/a/testdata.yaml": "on_reject: break\n",
        }
    )
    assert [case.output_validator_args for case in spec.cases] == [
        ("case_sensitive",),
        ("case_sensitive",),
        (),
    ]


def test_samples_that_are_ignored_are_shown_and_not_judged(legacy: PackageReader) -> None:
    spec = legacy({"data/testdata.yaml": "grader_flags: ignore_sample\n"})
    assert [case.name for case in spec.cases] == ["secret/1"]
    assert [sample.name for sample in spec.samples] == ["sample/1"]


def test_submissions_say_what_they_expect(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "submissions/wrong_answer/wa.c": "int main() {}",
            "submissions/time_limit_exceeded/slow/Main.java": "",
            "submissions/time_limit_exceeded/slow/Other.java": "",
            "submissions/mixed/both.py": "# @EXPECTED_RESULTS@: TIMELIMIT, RUN_TIME_ERROR\n",
            "submissions/accepted/tagged.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER\n",
            "submissions/compile_error/ce.cpp": "int",
        }
    )
    expected = {each.name: each.expectations[0] for each in spec.submissions}
    assert expected["wrong_answer/wa.c"].required == frozenset({Outcome.WA})
    assert expected["mixed/both.py"].final == frozenset({Outcome.TLE, Outcome.RTE})
    assert expected["accepted/tagged.py"].permitted == frozenset({Outcome.AC})
    assert expected["compile_error/ce.cpp"].final == frozenset({Outcome.CE})
    slow = next(each for each in spec.submissions if each.name.endswith("slow"))
    assert expected[slow.name].permitted == frozenset({Outcome.AC, Outcome.WA, Outcome.TLE})
    assert (slow.program.language, slow.program.main.name, len(slow.program.files)) == (
        "java",
        "Main.java",
        2,
    )


def test_what_is_of_no_use_is_known(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "name: Add\nlimits: {time_limit: 1, colour: 3}\nflavour: x\n",
            "data/secret/orphan.ans": "",
            "output_validators/v.py": "",
            "input_validators/x.f77": "",
            "README.md": "",
        }
    )
    assert [str(file) for file in spec.unused] == ["data/secret/orphan.ans", "output_validators/v.py"]
    said = "\n".join(spec.warnings)
    for word in ("colour", "flavour", "validation: default", "x.f77"):
        assert word in said


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"problem.yaml": "validation: custom\n"}, "holds no program"),
        ({"problem.yaml": "validation: odd\n"}, "must begin with default or custom"),
        ({"problem.yaml": "validation: custom once-more\n"}, "is not known"),
        ({"problem.yaml": "validation: custom score\n", "output_validators/v.py": ""}, "scoring problem"),
        ({"problem.yaml": "type: other\n"}, "type 'other'"),
        ({"problem.yaml": "type: scoring\ngrading: {objective: min}\n"}, "least score wins"),
        ({"problem.yaml": "limits: {memory: lots}\n"}, "must be a number"),
        ({"problem.yaml": "limits: {time_limit: -1}\n"}, "above 0"),
        ({"problem.yaml": "validator_flags: float_tolerance\n"}, "needs a number"),
        ({"problem.yaml": "validator_flags: sloppy\n"}, "no flag 'sloppy'"),
        ({"data/secret/2.in": ""}, "2.ans is missing"),
        ({"data/other/1.in": "", "data/other/1.ans": ""}, "sample and secret only"),
        ({"data/testdata.yaml": "grading: custom\n"}, "only a scoring problem has a grader"),
        (
            {"problem.yaml": "type: scoring\n", "data/testdata.yaml": "grading: custom\n"},
            "one program in graders/, which holds 0",
        ),
        (
            {
                "problem.yaml": "type: scoring\n",
                "data/testdata.yaml": "grading: custom\n",
                "graders/a.py": "",
                "graders/b.py": "",
            },
            "which holds 2",
        ),
        ({"data/testdata.yaml": "grader_flags: fancy\n"}, "no flag 'fancy'"),
        ({"data/testdata.yaml": "grader_flags: always_accept\n"}, "accepts wrong cases"),
        (
            {
                "problem.yaml": "validation: custom interactive\n",
                "output_validators/a/v.py": "",
                "output_validators/b/v.py": "",
            },
            "holds several programs, where one must talk",
        ),
        (
            {"problem.yaml": "validation: custom\n", "output_validators/v.py": "#!/usr/bin/python2\n"},
            "Python 2",
        ),
        ({"problem_statement/problem.en.tex": b"\xff"}, "not UTF-8"),
    ],
)
def test_what_cannot_be_judged_is_refused_with_a_sentence(
    legacy: PackageReader, files: Files, sentence: str
) -> None:
    without = ("problem_statement",) if "problem_statement/problem.en.tex" in files else ()
    with pytest.raises(PackageRefusedError, match=sentence):
        legacy(files, without=without)


def test_a_package_without_secret_data_is_refused(legacy: PackageReader) -> None:
    with pytest.raises(PackageRefusedError, match="data/secret holds no test case"):
        legacy(without=("data/secret",))


def test_validators_and_submissions_may_bring_scripts(legacy: PackageReader, tmp_path: Path) -> None:
    both = {"build": "#!/bin/sh\n", "run": "#!/bin/sh\n", "lib/x.cpp": ""}
    spec = legacy(
        {
            "problem.yaml": "name: Add\nvalidation: custom\nlimits: {time_limit: 1}\n",
            **{f"output_validators/{name}": text for name, text in both.items()},
            **{f"input_validators/odd/{name}": text for name, text in both.items()},
            "submissions/accepted/odd/run": "#!/bin/sh\n",
        }
    )
    assert isinstance(spec.validator, OutputValidator)
    odd = next(program for program in spec.input_validators if program.name == "odd")
    submitted = next(each for each in spec.submissions if each.name == "accepted/odd").program
    assert {each.language for each in (spec.validator.program, odd, submitted)} == {SCRIPTS.slug}
    assert set(source_names(odd)) == both.keys()
    assert source_names(submitted).keys() == {"run"}
    for form in (ExportFormat.LEGACY, ExportFormat.V2025_09):
        out = tmp_path / form
        export_directory(spec, out, form)
        scripts = [path for path in out.rglob("*") if path.name in {"build", "run"}]
        assert len(scripts) == 5
        assert all(os.access(path, os.X_OK) for path in scripts)
        again = read_directory(out)
        assert [each.program.language for each in again.submissions] == [
            each.program.language for each in spec.submissions
        ]
        judged, came_back = (judged_checker(each, hash_in(each), SCRIPTS.slug) for each in (spec, again))
        assert came_back == judged
    with pytest.raises(PackageRefusedError, match="does not follow testlib"):
        export_directory(spec, tmp_path / "polygon", ExportFormat.POLYGON)


@pytest.mark.parametrize(
    ("names", "programs"),
    [
        (("a/v.py", "b/v.py"), ["a", "b"]),
        (("a.py", "b.cpp"), ["a.py", "b.cpp"]),
        (("a/v.py", "b.py", "note.txt"), ["a", "b.py"]),
        (("a.cpp", "b.cpp", "lib.h"), ["output_validators"]),
        (("run", "a.cpp", "b.py"), ["output_validators"]),
    ],
)
def test_several_output_validators_are_asked_and_loose_files_are_one(
    legacy: PackageReader, names: tuple[str, ...], programs: list[str]
) -> None:
    files = {f"output_validators/{name}": "" for name in names}
    spec = legacy({"problem.yaml": "name: Add\nvalidation: custom\n", **files})
    assert [each.name for each in judging_programs(spec)] == programs
    languages = [language_slug(slugs_of(each.language)[0]) for each in judging_programs(spec)]
    assert [
        each.language for each in programs_of(judged_checker(spec, hash_in(spec), *languages))
    ] == languages


@pytest.mark.parametrize(
    ("name", "said"),
    [("v.scala", "is in a language that is not run here, scala"), ("v.kt", "kotlin")],
)
def test_a_validator_in_a_language_that_nobody_runs_is_refused(
    legacy: PackageReader, name: str, said: str
) -> None:
    spec = legacy({"problem.yaml": "name: Add\nvalidation: custom\n", f"output_validators/{name}": ""})
    language = language_slug(slugs_of(judging_programs(spec)[0].language)[0])
    with pytest.raises(PackageRefusedError, match=said):
        judged_checker(spec, hash_in(spec), language)


@pytest.mark.parametrize("form", [ExportFormat.V2025_09, ExportFormat.LEGACY])
def test_a_validator_in_one_shell_script_is_started_as_it_is(
    legacy: PackageReader, tmp_path: Path, form: ExportFormat
) -> None:
    script = "#!/bin/bash\nexit 42\n"
    spec = legacy(
        {
            "problem.yaml": "name: Add\nvalidation: custom\n",
            "output_validators/check.sh": script,
            "input_validators/check.sh": script,
            "submissions/accepted/add.sh": script,
        }
    )
    assert not [each for each in spec.warnings if "check.sh" in each]
    assert [each.language for each in spec.input_validators if each.main.suffix == ".sh"] == [SCRIPTS.slug]
    judged = judged_checker(spec, hash_in(spec), SCRIPTS.slug)
    assert [source.name for program in programs_of(judged) for source in program.sources] == ["run"]
    out = tmp_path / "again"
    export_directory(spec, out, form)
    again = read_directory(out)
    assert judged_checker(again, hash_in(again), SCRIPTS.slug) == judged
    assert [os.access(path, os.X_OK) for path in out.rglob("*.sh") if path.is_file()] == [True] * 3


@pytest.mark.parametrize("first", ["exit 42\n", "#!/bin/bash\r\nexit 42\n", "#! \n", ""])
def test_a_shell_script_that_nobody_can_start_is_told_before_it_judges(
    legacy: PackageReader, first: str
) -> None:
    spec = legacy({"input_validators/check.sh": first})
    assert [each for each in spec.warnings if "input_validators/check.sh does not begin" in each]
    judging = {"problem.yaml": "name: Add\nvalidation: custom\n", "output_validators/check.sh": first}
    with pytest.raises(PackageRefusedError, match="does not begin with a line such as"):
        legacy(judging)


def test_min_without_a_scoring_validator_is_pass_fail(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "type: scoring\n",
            "data/testdata.yaml": "grader_flags: ignore_sample\n",
            "data/secret/testdata.yaml": "grader_flags: min\naccept_score: 7\n",
        }
    )
    assert [(group.scoring, group.points) for group in spec.groups] == [(GroupScoring.PASS_FAIL, Decimal(7))]


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"submissions/accepted/two.py": "#!/usr/bin/python2\n"}, "Python 2"),
        ({"submissions/accepted/add.pl": "main :-\n    read(X), write(X).\n"}, "written in Prolog"),
        ({"submissions/accepted/add.pl": ":- initialization(main).\n"}, "written in Prolog"),
        ({"submissions/accepted/mix/a.py": "", "submissions/accepted/mix/b.java": ""}, "mixes the languages"),
        ({"submissions/accepted/what.xyz": ""}, "no source file of a known language"),
    ],
)
def test_a_submission_that_cannot_be_run_is_warned_about(
    legacy: PackageReader, files: Files, sentence: str
) -> None:
    spec = legacy(files)
    assert [each.name for each in spec.submissions] == ["accepted/add.py"]
    assert sentence in spec.warnings[0]
    assert spec.unused == ()


@pytest.mark.parametrize(
    ("file", "kind"),
    [("problem.xml", "polygon"), ("init.yml", "dmoj"), ("inner/problem.conf", "uoj"), ("1/task.yaml", "cms")],
)
def test_a_package_of_another_format_is_called_by_its_name(tmp_path: Path, file: str, kind: str) -> None:
    write_package(tmp_path / "p", {file: ""})
    assert read_problems(tmp_path / "p", tmp_path / "into").format == kind
    with pytest.raises(PackageRefusedError, match=r"p has no problem\.yaml and no file of another format"):
        read_directory(tmp_path / "p")


def test_bad_data_is_for_the_validators_and_not_judged(legacy: PackageReader) -> None:
    spec = legacy(
        {
            "problem.yaml": "name: Add\nvalidator_flags: case_sensitive\n",
            "data/bad/negative.in": "-1 2\n",
            "data/bad/wrong.in": "1 2\n",
            "data/bad/wrong.ans": "x\n",
            **{f"data/invalid_outputs/o.{ending}": "1\n" for ending in ("in", "ans", "out")},
        }
    )
    assert [case.name for case in spec.cases] == ["sample/1", "secret/1"]
    assert [each.name for each in spec.invalid_inputs] == ["bad/negative"]
    assert [each.name for each in spec.invalid_answers] == ["bad/wrong"]
    assert [(each.name, each.valid, each.output_validator_args) for each in spec.output_examples] == [
        ("invalid_outputs/o", False, ("case_sensitive",))
    ]
    assert "data/bad/wrong is not checked: no answer validator can be run" in spec.warnings
