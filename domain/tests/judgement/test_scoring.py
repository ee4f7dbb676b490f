"""Subtasks: minimum, sum, dependencies, and stopping early without changing a score."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.judgement.scoring import aggregate, group_scores, may_skip
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Group, GroupScoring, OnReject, StopPolicy, Suite

DATA = hash_of(b"data")
HALF = Share(500_000)
MEASURED = settings(max_examples=150, derandomize=True, deadline=None, database=None)


def _case(name: str, points: int = 0) -> Case:
    return Case(name, name[0], DATA, DATA, Score.points(points))


SUITE = Suite(
    groups=(
        Group("a", Score.points(10)),
        Group("b", Score.points(30), GroupScoring.SUM),
        Group("c", Score.points(60), depends_on=("a", "b")),
    ),
    cases=(_case("a1"), _case("a2"), _case("b1", 10), _case("b2", 20), _case("c1"), _case("c2")),
)


LOWERED = replace(SUITE, groups=(*SUITE.groups[:2], replace(SUITE.groups[2], lowered_by_dependencies=True)))


def _scores(suite: Suite = SUITE, /, **failed: CaseResult) -> list[Score]:
    results = [failed.get(case.name, CaseResult.accepted(case.name)) for case in suite.cases]
    return [group.score for group in group_scores(suite, results)]


def _wrong(name: str, share: Share = NOTHING) -> CaseResult:
    return CaseResult(name, Verdict.WRONG_ANSWER, share)


def _points(*values: int) -> list[Score]:
    return [Score.points(value) for value in values]


def test_everything_right_earns_the_full_score() -> None:
    assert _scores() == _points(10, 30, 60)
    assert Score.total(_scores()) == SUITE.full_score


def test_a_min_group_earns_what_its_worst_case_earns() -> None:
    assert _scores(c2=_wrong("c2")) == _points(10, 30, 0)
    assert _scores(c2=_wrong("c2", HALF)) == _points(10, 30, 30)


def test_a_sum_group_adds_its_cases() -> None:
    assert _scores(b1=_wrong("b1"))[1] == Score.points(20)
    assert _scores(b1=_wrong("b1", HALF))[1] == Score.points(25)


def test_a_group_counts_only_when_all_it_depends_on_have_passed() -> None:
    assert _scores(a1=_wrong("a1")) == _points(0, 30, 0)
    assert _scores(b1=_wrong("b1", HALF)) == _points(10, 25, 0)


def test_a_lowered_group_earns_no_larger_share_than_what_it_depends_on() -> None:
    assert _scores(LOWERED, b1=_wrong("b1")) == _points(10, 20, 40)
    assert _scores(LOWERED, b1=_wrong("b1"), c2=_wrong("c2", HALF)) == _points(10, 20, 30)
    assert _scores(LOWERED, a1=_wrong("a1")) == _points(0, 30, 0)
    gate = replace(LOWERED, groups=(replace(LOWERED.groups[0], points=ZERO), *LOWERED.groups[1:]))
    assert _scores(gate) == _points(0, 30, 60), "without points it is passed or not"
    assert _scores(gate, a1=_wrong("a1", HALF)) == _points(0, 30, 0)


def test_a_lowered_group_is_skipped_only_when_nothing_is_left_of_it() -> None:
    wrong = {"b1": _wrong("b1")}
    truth = [wrong.get(case.name, CaseResult.accepted(case.name)) for case in LOWERED.cases]
    assert _names_of_skipped(_judge(LOWERED, truth)) == []
    wrong["b2"] = _wrong("b2")
    truth = [wrong.get(case.name, CaseResult.accepted(case.name)) for case in LOWERED.cases]
    assert _names_of_skipped(_judge(LOWERED, truth)) == ["c1", "c2"]


def test_a_locked_group_does_not_unlock_another() -> None:
    chain = Suite(
        groups=(
            Group("a", ZERO),
            Group("b", ZERO, depends_on=("a",)),
            Group("c", Score.points(1), depends_on=("b",)),
        ),
        cases=(_case("a1"), _case("b1"), _case("c1")),
    )
    results = [_wrong("a1"), CaseResult.accepted("b1"), CaseResult.accepted("c1")]
    assert aggregate(chain, results).score == ZERO


def _one_group(group: Group, *cases: Case) -> Suite:
    return Suite((group,), cases, StopPolicy.FIRST_FAILURE)


def test_points_of_a_checker_count_exactly_as_given() -> None:
    third = Score.points("33.333333")
    suite = _one_group(Group("a", Score.points(100)), _case("a1"), _case("a2"))
    given = CaseResult("a2", Verdict.ACCEPTED, points=third)
    assert aggregate(suite, [CaseResult.accepted("a1"), given]).score == third
    summed = _one_group(Group("a", ZERO, GroupScoring.SUM, unbounded=True), _case("a1"), _case("a2", 0))
    both = [replace(given, case="a1"), given]
    assert aggregate(summed, both).score == Score.points("66.666666")


def test_all_or_nothing_ignores_shares() -> None:
    suite = _one_group(Group("a", Score.points(10), GroupScoring.ALL), _case("a1"), _case("a2"))
    halves = [CaseResult("a1", Verdict.ACCEPTED, HALF), CaseResult("a2", Verdict.ACCEPTED, HALF)]
    assert aggregate(suite, halves).score == Score.points(10)
    assert aggregate(suite, [halves[0], _wrong("a2", HALF)]).score == ZERO
    assert _names_of_skipped(_judge(suite, [_wrong("a1"), halves[1]])) == ["a2"]


def test_the_best_case_decides_and_none_is_skipped() -> None:
    suite = _one_group(Group("a", Score.points(10), GroupScoring.MAX), _case("a1"), _case("a2"), _case("a3"))
    results = [_wrong("a1"), CaseResult("a2", Verdict.ACCEPTED, HALF), _wrong("a3")]
    assert _judge(suite, results) == results
    judged = aggregate(suite, results)
    assert (judged.score, judged.verdict) == (Score.points(5), Verdict.WRONG_ANSWER)
    assert aggregate(suite, [_wrong("a1"), _wrong("a2"), _wrong("a3")]).score == ZERO


def test_a_rejected_case_may_earn_something() -> None:
    def some(name: str, points: int = 0) -> Case:
        return replace(_case(name, points), reject_points=Score.points(2))

    late = CaseResult.failed("a1", Verdict.TIME_LIMIT)
    least = _one_group(Group("a", Score.points(10)), some("a1"), some("a2"))
    assert aggregate(least, [late, CaseResult.accepted("a2")]).score == Score.points(2)
    assert _names_of_skipped(_judge(least, [late, _wrong("a2")])) == []
    summed = _one_group(Group("a", Score.points(10), GroupScoring.SUM), some("a1", 5), some("a2", 5))
    assert aggregate(summed, [late, CaseResult.accepted("a2")]).score == Score.points(7)


def test_a_group_that_breaks_runs_nothing_behind_its_first_rejected_case() -> None:
    breaking = Group("a", Score.points(30), GroupScoring.SUM, on_reject=OnReject.BREAK)
    suite = replace(
        _one_group(breaking, _case("a1", 10), _case("a2", 10), _case("a3", 10)), stop=StopPolicy.RUN_ALL
    )
    results = _judge(suite, [CaseResult.accepted("a1"), _wrong("a2"), CaseResult.accepted("a3")])
    assert _names_of_skipped(results) == ["a3"]
    assert aggregate(suite, results).score == Score.points(10)
    worst = replace(suite, groups=(replace(breaking, scoring=GroupScoring.MIN),), cases=(
        *(replace(case, points=ZERO, reject_points=Score.points(2)) for case in suite.cases),
    ))  # fmt: skip
    assert aggregate(worst, results).score == Score.points(2), "what was not run is not the worst"


def _judge(suite: Suite, truth: list[CaseResult]) -> list[CaseResult]:
    so_far: list[CaseResult] = []
    for case, result in zip(suite.cases, truth, strict=True):
        so_far.append(CaseResult.skipped(case.name) if may_skip(suite, case, so_far) else result)
    return so_far


def _names_of_skipped(results: list[CaseResult]) -> list[str]:
    return [result.case for result in results if result.verdict is None]


def test_a_failure_skips_the_rest_of_its_group_and_what_depends_on_it() -> None:
    truth = [_wrong(case.name) for case in SUITE.cases]
    assert _names_of_skipped(_judge(SUITE, truth)) == ["a2", "c1", "c2"]


def test_run_all_skips_nothing() -> None:
    everything = replace(SUITE, stop=StopPolicy.RUN_ALL)
    truth = [_wrong(case.name) for case in SUITE.cases]
    assert _names_of_skipped(_judge(everything, truth)) == []


OUTCOMES = st.one_of(
    st.sampled_from([EVERYTHING, HALF, NOTHING]).map(lambda share: (Verdict.ACCEPTED, share)),
    st.sampled_from([HALF, NOTHING]).map(lambda share: (Verdict.WRONG_ANSWER, share)),
    st.just((Verdict.TIME_LIMIT, NOTHING)),
)


@pytest.mark.parametrize("suite", [SUITE, LOWERED], ids=["locked", "lowered"])
@MEASURED
@given(st.lists(OUTCOMES, min_size=len(SUITE.cases), max_size=len(SUITE.cases)))
def test_stopping_early_changes_neither_score_nor_verdict(
    suite: Suite, outcomes: list[tuple[Verdict, Share]]
) -> None:
    truth = [CaseResult(case.name, *outcome) for case, outcome in zip(suite.cases, outcomes, strict=True)]
    stopped, complete = aggregate(suite, _judge(suite, truth)), aggregate(suite, truth)
    assert (stopped.verdict, stopped.groups) == (complete.verdict, complete.groups)


@pytest.mark.parametrize("suite", [SUITE, LOWERED], ids=["locked", "lowered"])
@MEASURED
@given(st.lists(OUTCOMES, min_size=len(SUITE.cases), max_size=len(SUITE.cases)), st.integers(0, 5))
def test_one_more_right_answer_never_lowers_the_score(
    suite: Suite, outcomes: list[tuple[Verdict, Share]], better: int
) -> None:
    truth = [CaseResult(case.name, *outcome) for case, outcome in zip(suite.cases, outcomes, strict=True)]
    improved = [*truth]
    improved[better] = CaseResult.accepted(suite.cases[better].name)
    assert aggregate(suite, improved).score >= aggregate(suite, truth).score
