"""Export as a legacy package: it is judged the same, or refused with what the format cannot say."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.suite import StopPolicy
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import judged_checker, judged_suite
from deepoj_packages.options import ExportFormat
from deepoj_packages.read_package import read_directory
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import FormatVersion, Group, GroupScoring, LineValidator, ProblemSpec
from deepoj_packages.testing import Files, PackageReader, hash_in

EXAMPLES = Path(__file__).parents[2] / "examples"
CHECKED: Files = {
    "output_validator/lib/check.cpp": "int main() {}",
    "output_validator/lib/check.h": "",
    "data/sample/1.interaction": ">1\n",
    "data/valid_output/y.in": "1 2\n",
    "data/valid_output/y.ans": "3\n",
    "data/valid_output/y.out": "3 \n",
    "data/secret/test_group.yaml": "output_validator_args: [x, 'y']\n",
}
HEAD = "problem_format_version: 2025-09\nname: Add\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n"
SCORING: Files = {
    "problem.yaml": f"{HEAD}type: scoring\nlimits: {{time_limit: 0.5, memory: 64}}\n",
    "data/secret/test_group.yaml": "max_score: 90\nscore_aggregation: sum\n",
    **{f"data/secret/{name}.{end}": "1\n" for name in ("a/1", "a/2", "b/1", "b/2") for end in ("in", "ans")},
    "data/secret/a/test_group.yaml": "max_score: 30\n",
    "data/secret/b/test_group.yaml": "max_score: 60\nscore_aggregation: sum\n",
}


def exported(spec: ProblemSpec, tmp_path: Path) -> ProblemSpec:
    export_directory(spec, tmp_path / "legacy" / spec.short_name, ExportFormat.LEGACY)
    again = read_directory(tmp_path / "legacy" / spec.short_name)
    assert again.format is FormatVersion.LEGACY
    # Where groups are scored, a legacy package can only let all of them run.
    stop = StopPolicy.RUN_ALL if spec.scoring else judged_suite(spec, hash_in(spec)).stop
    assert judged_suite(again, hash_in(again)) == replace(judged_suite(spec, hash_in(spec)), stop=stop)
    assert again.limits.time_ms == spec.limits.time_ms
    assert (again.title, again.names, again.unused, again.warnings) == (spec.title, spec.names, (), ())
    return again


@pytest.mark.parametrize("name", ["aplusb", "brackets", "circle", "guess", "summands"])
def test_an_example_is_judged_the_same(name: str, tmp_path: Path) -> None:
    spec = read_directory(EXAMPLES / name)
    again = exported(spec, tmp_path)
    assert [each.name for each in again.submissions] == [each.name for each in spec.submissions]
    assert [each.name for each in again.invalid_inputs] == [each.name for each in spec.invalid_inputs]
    assert [each.input_validator_args for each in again.cases] == [
        each.input_validator_args for each in spec.cases
    ]


def test_a_validator_of_several_files_keeps_its_arguments_and_examples(
    modern: PackageReader, tmp_path: Path
) -> None:
    spec = modern(CHECKED)
    again = exported(spec, tmp_path)
    language = language_slug("cpp17")
    assert judged_checker(again, hash_in(again), language) == judged_checker(spec, hash_in(spec), language)
    assert [each.name for each in again.output_examples] == ["valid_output/y"]
    assert again.samples[0].interaction is not None


def test_groups_keep_their_scores(modern: PackageReader, tmp_path: Path) -> None:
    spec = modern(SCORING, without=("data/secret",))
    assert [group.points for group in exported(spec, tmp_path).groups] == [0, 30, 60]


@pytest.mark.parametrize("scoring", [GroupScoring.MAX, GroupScoring.SUM])
def test_what_only_the_legacy_format_can_say_is_said(
    modern: PackageReader, tmp_path: Path, scoring: GroupScoring
) -> None:
    spec = modern(SCORING, without=("data/secret",))
    last = Group(name="secret/b", points=Decimal("60.5"), scoring=scoring, breaks_on_reject=True)
    each = Decimal("30.25") if scoring is GroupScoring.SUM else Decimal(0)
    cases = [replace(case, points=each) if case.group == "secret/b" else case for case in spec.cases]
    exported(replace(spec, groups=(*spec.groups[:2], last), cases=tuple(cases)), tmp_path)


def test_a_comparison_by_lines_comes_back(modern: PackageReader, tmp_path: Path) -> None:
    assert exported(replace(modern(), validator=LineValidator()), tmp_path).validator == LineValidator()


def test_what_the_format_cannot_say_is_refused_and_leaves_nothing(
    modern: PackageReader, tmp_path: Path
) -> None:
    scored = modern(SCORING, without=("data/secret",))
    needy = replace(scored.groups[2], depends_on=("secret/a",))
    first, second, third, *others = scored.cases
    uneven = [replace(case, points=Decimal(points)) for case, points in zip(others, (20, 40), strict=True)]
    told = replace(second, output_validator_args=("x",))
    plain = replace(scored, scoring=False)
    spaced = [replace(case, output_validator_args=("a b",)) for case in plain.cases]
    called = replace(second, arguments=("x",))
    wanted = {
        "arguments or files": replace(scored, cases=(first, called, third, *others)),
        "only some languages are allowed": replace(scored, languages=("cpp",)),
        "secret/b depends on another group": replace(scored, groups=(*scored.groups[:2], needy)),
        "how the cases of this problem are scored": replace(scored, cases=(first, second, third, *uneven)),
        "is told other things about secret/a/1": replace(scored, cases=(first, told, third, *others)),
        "cannot say": replace(plain, cases=tuple(spaced)),
    }
    for sentence, spec in wanted.items():
        with pytest.raises(PackageRefusedError, match=sentence):
            export_directory(spec, tmp_path / "out", ExportFormat.LEGACY)
        assert not (tmp_path / "out").exists()
