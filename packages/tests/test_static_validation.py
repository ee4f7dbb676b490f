"""Tests of what was submitted: which there are, what each is worth, and how they come back."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import judged_source_checker, judged_suite
from deepoj_packages.options import ExportFormat
from deepoj_packages.read_package import read_directory
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import ProblemSpec
from deepoj_packages.testing import Files, PackageReader, hash_in

PYTHON = language_slug("python3")
HEAD = "problem_format_version: 2025-09\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\nname: Add\n"
VALIDATOR: Files = {"static_validator/look.py": "import sys\nsys.exit(42)\n"}
PASS_FAIL: Files = {
    **VALIDATOR,
    "data/sample/test_group.yaml": "static_validation_score: pass-fail\n",
    "data/secret/test_group.yaml": "static_validation_score: pass-fail\nstatic_validator_args: [a, 'b c']\n",
}
INNER: Files = {
    **VALIDATOR,
    "data/secret/a/test_group.yaml": "static_validation_score: pass-fail\nstatic_validator_args: [a]\n",
    "data/secret/b/test_group.yaml": "",
    **{f"data/secret/b/1.{ending}": "" for ending in ("in", "ans")},
}
SCORING: Files = {
    **VALIDATOR,
    "problem.yaml": HEAD + "type: scoring\n",
    "data/secret/a/test_group.yaml": "max_score: 40\nscore_aggregation: sum\nstatic_validation_score: 10\n",
    **{f"data/secret/a/{name}.{ending}": "" for name in "12" for ending in ("in", "ans")},
    "data/secret/b/test_group.yaml": "max_score: 50\nscore_aggregation: min\nstatic_validation_score: 50\n",
    **{f"data/secret/b/1.{ending}": "" for ending in ("in", "ans")},
    "data/secret/c/test_group.yaml": "max_score: 10\nstatic_validation_score: pass-fail\n",
}
ALL_OR_NOTHING: Files = {
    **INNER,
    "problem.yaml": HEAD + "type: scoring\n",
    "data/secret/test_group.yaml": "score_aggregation: pass-fail\nstatic_validation_score: pass-fail\n",
}


def names(spec: ProblemSpec) -> list[str]:
    return [case.name for case in judged_suite(spec, hash_in(spec)).cases]


def test_each_group_may_have_a_test_of_the_source_before_its_cases(modern: PackageReader) -> None:
    spec = modern(PASS_FAIL)
    assert names(spec) == ["sample/static_validation", "sample/1", "secret/static_validation", "secret/1"]
    assert [case.arguments for case in spec.static_cases] == [(), ("a", "b c")]
    suite = judged_suite(spec, hash_in(spec))
    assert [case.of_source for case in suite.cases] == [True, False, True, False]
    assert [case.is_sample for case in suite.cases] == [True, True, False, False]
    assert suite.cases[2].checker_arguments == ("a", "b c")
    assert (spec.warnings, spec.unused) == ((), ())


def test_the_validator_is_a_program_of_the_judge(modern: PackageReader) -> None:
    checker = judged_source_checker(modern(PASS_FAIL), lambda _: hash_of(b""), PYTHON)
    assert checker is not None
    assert (checker.convention, checker.scores, checker.arguments) == (Convention.SOURCE, False, ())


def test_the_validator_of_a_scoring_problem_may_score(modern: PackageReader) -> None:
    spec = modern(SCORING, without=("data/secret", "problem.yaml"))
    checker = judged_source_checker(spec, lambda _: hash_of(b""), PYTHON)
    assert checker is not None
    assert checker.scores


def test_its_score_is_taken_from_what_the_cases_of_the_group_share(modern: PackageReader) -> None:
    spec = modern(SCORING, without=("data/secret", "problem.yaml"))
    assert [(case.group, case.points) for case in spec.static_cases] == [
        ("secret/a", Decimal(10)),
        ("secret/b", Decimal(0)),
        ("secret/c", Decimal(0)),
    ]
    assert [case.points for case in spec.cases if case.group == "secret/a"] == [Decimal(15), Decimal(15)]
    assert str(judged_suite(spec, hash_in(spec)).full_score) == "100"


@pytest.mark.parametrize(
    ("files", "without"),
    [
        (PASS_FAIL, ()),
        (INNER, ("data/secret",)),
        (SCORING, ("data/secret", "problem.yaml")),
        (ALL_OR_NOTHING, ("data/secret", "problem.yaml")),
        ({**PASS_FAIL, "static_validator/build": "#!/bin/sh\n"}, ()),
    ],
    ids=["pass-fail", "directories", "scoring", "all or nothing", "a directory of its own"],
)
def test_an_export_says_the_same(
    modern: PackageReader, tmp_path: Path, files: Files, without: tuple[str, ...]
) -> None:
    spec = modern(files, without=without)
    export_directory(spec, tmp_path / "again" / "add")
    again = read_directory(tmp_path / "again" / "add")
    assert judged_suite(again, hash_in(again)) == judged_suite(spec, hash_in(spec))
    assert again == spec


@pytest.mark.parametrize("form", [ExportFormat.LEGACY, ExportFormat.POLYGON])
def test_other_formats_cannot_say_it(modern: PackageReader, tmp_path: Path, form: ExportFormat) -> None:
    spec = modern({**PASS_FAIL, "problem.yaml": HEAD + "limits: {time_limit: 1}\n"})
    with pytest.raises(PackageRefusedError, match=r"a static validator|validation of the source"):
        export_directory(spec, tmp_path / "again", form)
    assert not (tmp_path / "again").exists()


def test_a_validator_that_nobody_asks_is_warned_about(modern: PackageReader) -> None:
    spec = modern(VALIDATOR)
    assert spec.static_validator is None
    assert spec.warnings == (
        "static_validator/ is never asked: no test_group.yaml has a static_validation_score",
    )


SUM = "max_score: 10\nscore_aggregation: sum\n"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            "max_score: 10\nstatic_validation_score: 4\n",
            "must be pass-fail in a group that is all or nothing",
        ),
        (SUM + "static_validation_score: pass-fail\n", "is pass-fail only where the group is"),
        (SUM + "static_validation_score: 11\n", "more than the 10 points of the group"),
        (SUM + "static_validation_score: -1\n", "not negative"),
        (SUM + "static_validation_score: 1.5\n", "whole number"),
        (SUM + "static_validation_score: .inf\n", "must be a number"),
        (SUM + "static_validation_score: [1, 2]\n", "static_validation_score"),
        (SUM + f"static_validation_score: {'9' * 4000}\n", "no number a judge could use"),
        (SUM.replace("sum", "min") + "static_validation_score: 5\n", "must be 10"),
        (SUM + "static_validator_args: [a]\n", "without which nothing is validated"),
        ("max_score: 10\nstatic_validator_args: [a]\n", "without which nothing is validated"),
    ],
)
def test_a_test_of_the_source_that_contradicts_its_group_is_refused(
    modern: PackageReader, settings: str, sentence: str
) -> None:
    files = {**SCORING, "data/secret/a/test_group.yaml": settings}
    with pytest.raises(PackageRefusedError, match=sentence):
        modern(files, without=("data/secret", "problem.yaml"))


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({name: text for name, text in PASS_FAIL.items() if name.startswith("data")}, "needs a program in"),
        ({**PASS_FAIL, "problem.yaml": HEAD + "type: submit-answer\n"}, "has no sources"),
        ({**VALIDATOR, "data/test_group.yaml": "static_validation_score: pass-fail\n"}, "belongs into"),
        (
            {**VALIDATOR, "problem.yaml": HEAD + "type: scoring\n",
             "data/secret/test_group.yaml": "max_score: unbounded\nstatic_validation_score: 1\n"},
            "max_score is unbounded",
        ),
        ({**PASS_FAIL, "static_validator/a.py": "", "static_validator/b.cpp": ""}, "mixes the languages"),
        ({**PASS_FAIL, "static_validator/look.py": "#!/usr/bin/python2\n"}, "Python 2"),
    ],
)  # fmt: skip
def test_a_validator_without_what_it_needs_is_refused(
    modern: PackageReader, files: Files, sentence: str
) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        modern(files)


def test_groups_of_secret_have_theirs_and_secret_has_none(modern: PackageReader) -> None:
    files = {**SCORING, "data/secret/test_group.yaml": "static_validation_score: 5\n"}
    with pytest.raises(PackageRefusedError, match="belongs into a group"):
        modern(files, without=("data/secret", "problem.yaml"))


def test_a_group_of_nothing_but_a_test_of_the_source_must_be_worth_what_that_is(
    modern: PackageReader,
) -> None:
    settings = "max_score: 10\nscore_aggregation: sum\nstatic_validation_score: 10\n"
    files = {**SCORING, "data/secret/c/test_group.yaml": settings}
    without = ("data/secret", "problem.yaml")
    assert str(judged_suite(modern(files, without=without), lambda _: hash_of(b"")).full_score) == "100"
    less = {
        **files,
        "data/secret/c/test_group.yaml": settings.replace("validation_score: 10", "validation_score: 8"),
    }
    with pytest.raises(PackageRefusedError, match="give 8, not 10"):
        judged_suite(modern(less, without=without), lambda _: hash_of(b""))
