"""One testdata.yaml, two readings; what neither group of ours can hold is refused."""

from __future__ import annotations

from decimal import Decimal
from pathlib import PurePosixPath

import pytest

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_packages.exporting.exporter import export_directory
from deepoj_packages.judge_data import EMPTY, judged_grader, judged_suite
from deepoj_packages.options import Dialect, ExportFormat
from deepoj_packages.refusal import PackageRefusedError
from deepoj_packages.spec import GroupScoring, Outcome, OutputValidator, ProblemSpec
from deepoj_packages.testing import Files, PackageReader, hash_in

SUBTASKS: Files = {
    "problem.yaml": "name: Add\ntype: scoring\nlimits: {time_limit: 1}\n",
    "data/testdata.yaml": "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n",
    "data/secret/testdata.yaml": (
        "on_reject: continue\nrange: 0 100\ngrader_flags: first_error accept_if_any_accepted\n"
    ),
    **{
        f"data/secret/{group}/{case}.{ending}": "1\n"
        for group in ("a", "b")
        for case in (1, 2)
        for ending in ("in", "ans")
    },
    "data/secret/a/testdata.yaml": "on_reject: break\naccept_score: 20\nrange: 0 20\ngrader_flags: min\n",
    "data/secret/b/testdata.yaml": "on_reject: continue\naccept_score: 40\nrange: 0 80\ngrader_flags: sum\n",
}


def worth(spec: ProblemSpec) -> list[tuple[str, str, GroupScoring]]:
    return [(group.name, str(group.points), group.scoring) for group in spec.groups]


def test_kattis_gives_the_accept_score_to_each_case(legacy: PackageReader) -> None:
    spec = legacy(SUBTASKS, without=("data/secret/1",))
    assert worth(spec) == [
        ("secret/a", "20", GroupScoring.PASS_FAIL),
        ("secret/b", "80", GroupScoring.SUM),
    ]
    assert [str(case.points) for case in spec.cases] == ["0", "0", "40", "40"]
    assert spec.full_score == 100
    assert spec.warnings == ()


def test_domjudge_gives_the_accept_score_to_the_group(legacy: PackageReader) -> None:
    spec = legacy(SUBTASKS, without=("data/secret/1",), dialect=Dialect.DOMJUDGE)
    assert worth(spec) == [
        ("secret/a", "20", GroupScoring.PASS_FAIL),
        ("secret/b", "40", GroupScoring.PASS_FAIL),
    ]


def test_kattis_takes_the_whole_score_for_one_failed_group(legacy: PackageReader) -> None:
    files = {**SUBTASKS, "data/secret/testdata.yaml": "on_reject: continue\n"}
    spec = legacy(files, without=("data/secret/1",))
    assert worth(spec) == [("secret", "100", GroupScoring.PASS_FAIL)]
    assert any("all groups were made one" in warning for warning in spec.warnings)
    assert worth(legacy(files, without=("data/secret/1",), dialect=Dialect.DOMJUDGE))[0][0] == "secret/a"


def test_the_average_is_a_sum_of_parts(legacy: PackageReader) -> None:
    more: Files = {
        **{f"data/secret/a/3.{ending}": "1\n" for ending in ("in", "ans")},
        "data/secret/a/testdata.yaml": "accept_score: 10\ngrader_flags: avg\non_reject: continue\n",
    }
    spec = legacy({**SUBTASKS, **more}, without=("data/secret/1",))
    assert worth(spec)[0] == ("secret/a", "10", GroupScoring.SUM)
    assert [str(case.points) for case in spec.cases[:3]] == ["3.333334", "3.333333", "3.333333"]


def test_a_sum_that_stops_at_the_first_failure_says_so(legacy: PackageReader) -> None:
    files = {**SUBTASKS, "data/secret/b/testdata.yaml": "accept_score: 40\non_reject: break\n"}
    spec = legacy(files, without=("data/secret/1",))
    assert [group.breaks_on_reject for group in spec.groups] == [False, True]


def test_the_least_of_whole_groups_is_one_group(legacy: PackageReader) -> None:
    files: Files = {
        **SUBTASKS,
        "data/secret/testdata.yaml": "grader_flags: min always_accept\n",
        "data/secret/b/testdata.yaml": "accept_score: 15\ngrader_flags: min\n",
    }
    spec = legacy(files, without=("data/secret/1",))
    assert worth(spec) == [("secret", "15", GroupScoring.PASS_FAIL)]
    assert {case.group for case in spec.cases} == {"secret"}


def test_a_validator_that_scores_gives_the_points_of_the_range(legacy: PackageReader) -> None:
    files: Files = {
        **SUBTASKS,
        "problem.yaml": "type: scoring\nvalidation: custom score\nlimits: {time_limit: 1}\n",
        "output_validators/v.py": "",
        "data/secret/a/testdata.yaml": "grader_flags: min\nrange: 0 20\n",
        "data/secret/b/testdata.yaml": "grader_flags: sum\nrange: 0 inf\n",
    }
    spec = legacy(files, without=("data/secret/1",))
    assert worth(spec) == [("secret/a", "20", GroupScoring.MIN), ("secret/b", "0", GroupScoring.SUM)]
    assert [group.unbounded for group in spec.groups] == [False, True]


def test_samples_that_give_points_are_warned_about(legacy: PackageReader) -> None:
    spec = legacy({**SUBTASKS, "data/testdata.yaml": "on_reject: continue\n"}, without=("data/secret/1",))
    assert worth(spec)[0] == ("sample", "1", GroupScoring.SUM)
    assert any("data/sample gives points" in warning for warning in spec.warnings)


def test_a_rejected_case_may_earn_points(legacy: PackageReader) -> None:
    files: Files = {**SUBTASKS, "data/secret/b/testdata.yaml": "accept_score: 40\nreject_score: 5\n"}
    spec = legacy(files, without=("data/secret/1",))
    assert [case.reject_points for case in spec.cases] == [0, 0, Decimal(5), Decimal(5)]


def test_partially_accepted_means_less_than_everything(legacy: PackageReader) -> None:
    spec = legacy({**SUBTASKS, "submissions/partially_accepted/p.py": ""}, without=("data/secret/1",))
    partial = next(each for each in spec.submissions if each.name.startswith("partially"))
    assert partial.expectations[0].score == (Decimal(0), Decimal("99.999999"))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("accept_score: -1\n", "negative"),
        ("accept_score: 0.0000001\n", "six decimals"),
        ("range: 0\n", "two numbers"),
        ("range: 0 x\n", "two numbers"),
    ],
)
def test_scores_that_cannot_be_held_are_refused(legacy: PackageReader, settings: str, sentence: str) -> None:
    with pytest.raises(PackageRefusedError, match=sentence):
        legacy({**SUBTASKS, "data/secret/a/testdata.yaml": settings}, without=("data/secret/1",))


def test_the_best_case_of_a_group_may_decide(legacy: PackageReader) -> None:
    settings = "grader_flags: max\naccept_score: 20\non_reject: continue\n"
    spec = legacy({**SUBTASKS, "data/secret/a/testdata.yaml": settings}, without=("data/secret/1",))
    assert worth(spec)[0] == ("secret/a", "20", GroupScoring.MAX)
    assert [case.points for case in spec.cases[:2]] == [0, 0]


def test_the_average_of_groups_gives_each_its_share(legacy: PackageReader) -> None:
    third: Files = {
        **SUBTASKS,
        "data/secret/c/1.in": "",
        "data/secret/c/1.ans": "",
        "data/secret/c/testdata.yaml": "accept_score: 100\ngrader_flags: min\n",
        "data/secret/testdata.yaml": "grader_flags: avg always_accept\n",
    }
    spec = legacy(third, without=("data/secret/1",))
    assert worth(spec) == [
        ("secret/a", "6.666666", GroupScoring.PASS_FAIL),
        ("secret/b", "26.666667", GroupScoring.SUM),
        ("secret/c", "33.333333", GroupScoring.PASS_FAIL),
    ]
    assert [str(case.points) for case in spec.cases[2:4]] == ["13.333334", "13.333333"]
    assert spec.full_score == Decimal("66.666666"), "a third of 200, to the millionth below"


def test_a_tag_names_the_score_and_the_verdict_of_each_group(legacy: PackageReader) -> None:
    files: Files = {
        **SUBTASKS,
        "submissions/partially_accepted/p.py": "# @EXPECTED_SCORE@: 20\n# @EXPECTED_GRADES@ AC WA\n",
        "submissions/mixed/q.py": "# @EXPECTED_RESULTS@: WRONG-ANSWER\n# @EXPECTED_SCORE@: 74.42\n",
        "submissions/mixed/r.py": "# @EXPECTED_GRADES@ AC AC AC\n",
        "submissions/mixed/s.py": "# @EXPECTED_GRADES@ AC XX\n",
    }
    spec = legacy(files, without=("data/secret/1",))
    found = {each.name: each.expectations for each in spec.submissions}
    partial, score, few, hard = found["partially_accepted/p.py"]
    assert (partial.score, score.score) == (
        (Decimal(0), Decimal("99.999999")),
        (Decimal(20), Decimal(20)),
    )
    assert (few.cases, few.permitted, few.required) == ("secret/a", frozenset({Outcome.AC}), None)
    assert (hard.cases, hard.permitted, hard.required) == ("secret/b", None, frozenset({Outcome.WA}))
    final, rounded = found["mixed/q.py"]
    assert final.final == frozenset({Outcome.WA})
    assert rounded.score == (Decimal("74.415"), Decimal("74.425"))
    assert found["mixed/r.py"] == found["mixed/s.py"] == ()
    assert (
        "submissions/mixed/r.py: its 3 expected grades are not used: data/secret has 2 groups"
        in spec.warnings
    )
    assert (
        "submissions/mixed/s.py: its 2 expected grades are not used: the grade XX is not known"
        in spec.warnings
    )


@pytest.mark.parametrize(("mode", "points"), [("max", 80), ("min", 20)])
def test_of_groups_that_do_not_add_up_one_counts(legacy: PackageReader, mode: str, points: int) -> None:
    files = {**SUBTASKS, "data/secret/testdata.yaml": f"grader_flags: {mode} always_accept\n"}
    spec = legacy(files, without=("data/secret/1",))
    (bundle,) = spec.bundles
    assert (bundle.name, bundle.parts, int(bundle.points)) == ("secret", ("secret/a", "secret/b"), points)
    suite = judged_suite(spec, lambda _: EMPTY)
    assert (int(spec.full_score), suite.full_score) == (points, Score.points(points))
    assert [unit.name for unit in suite.units if unit.points != ZERO] == ["secret"]


GRADED: Files = {
    **SUBTASKS,
    "data/testdata.yaml": "grading: custom\ngrader_flags: all\nrange: 0 100\n",
    "data/secret/testdata.yaml": "grading: custom\ngrader_flags: twice 'a b'\non_reject: continue\n",
    "graders/grade.py": "print('AC 1')",
}


def test_a_grader_is_asked_about_the_groups_that_say_so(legacy: PackageReader) -> None:
    spec = legacy(GRADED, without=("data/secret/1",))
    assert spec.grader is not None
    assert spec.grader.main == PurePosixPath("graders/grade.py")
    secret, whole = spec.bundles
    assert (whole.name, whole.grader_args, int(whole.points), whole.unbounded) == (
        "data",
        ("all",),
        100,
        False,
    )
    assert (secret.name, secret.grader_args, secret.unbounded) == ("secret", ("twice", "'a", "b'"), True)
    assert whole.parts[-1] == "secret"
    assert judged_grader(spec, hash_in(spec), LanguageSlug("python3")) is not None
    for form in ExportFormat:
        with pytest.raises(PackageRefusedError, match="one score together"):
            export_directory(spec, legacy.root.with_name(f"{form}"), form)


def test_groups_that_are_accepted_with_wrong_cases_cannot_be_told_to_a_grader(legacy: PackageReader) -> None:
    files = {**GRADED, "data/secret/a/testdata.yaml": "grader_flags: always_accept\n"}
    with pytest.raises(PackageRefusedError, match="cannot be told of groups"):
        legacy(files, without=("data/secret/1",))


SCORED: Files = {
    "problem.yaml": "name: Add\ntype: scoring\nvalidation: custom score\nlimits: {time_limit: 1}\n",
    "output_validators/v.py": "",
}


@pytest.mark.parametrize("root", ["range: 0 100\n", "on_reject: continue\n"])
def test_samples_scored_by_a_validator_add_nothing(legacy: PackageReader, root: str) -> None:
    secret = {"data/testdata.yaml": root, "data/secret/testdata.yaml": "range: 0 100\n"}
    spec = legacy({**SCORED, **secret})
    sample = spec.groups[0]
    assert (sample.name, sample.points, sample.unbounded) == ("sample", Decimal(0), False)
    assert sample.scoring is GroupScoring.PASS_FAIL
    assert spec.full_score == 100


def test_samples_whose_scores_have_no_bound_are_warned_about(legacy: PackageReader) -> None:
    spec = legacy({**SCORED, "data/secret/testdata.yaml": "range: 0 100\n"})
    assert "data/sample has no greatest score, so its scores are not counted" in spec.warnings


def test_samples_with_a_range_of_their_own_count_and_are_warned_about(legacy: PackageReader) -> None:
    ranges = {"data/sample/testdata.yaml": "range: 0 5\n", "data/secret/testdata.yaml": "range: 0 100\n"}
    spec = legacy({**SCORED, **ranges})
    assert spec.full_score == 105
    assert any("data/sample gives points" in warning for warning in spec.warnings)


def test_every_validator_of_a_scoring_problem_scores_in_domjudges_reading(legacy: PackageReader) -> None:
    files: Files = {
        **SUBTASKS,
        **SCORED,
        "problem.yaml": "name: Add\ntype: scoring\nvalidation: custom\nlimits: {time_limit: 1}\n",
        "data/secret/a/testdata.yaml": "accept_score: 20\n",
        "data/secret/b/testdata.yaml": "range: 0 80\n",
    }
    spec = legacy(files, without=("data/secret/1",), dialect=Dialect.DOMJUDGE)
    assert worth(spec) == [("secret/a", "20", GroupScoring.PASS_FAIL), ("secret/b", "80", GroupScoring.SUM)]
    assert isinstance(spec.validator, OutputValidator)
    assert spec.validator.scores
    assert any("accept_score decides" in warning for warning in spec.warnings)
    kattis = legacy(files, without=("data/secret/1",))
    assert isinstance(kattis.validator, OutputValidator)
    assert not kattis.validator.scores
