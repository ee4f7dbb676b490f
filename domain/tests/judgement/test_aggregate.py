from itertools import product

import pytest

from deepoj_domain.judgement.case_verdict import CheckerWord, case_verdict
from deepoj_domain.judgement.result import CaseResult, JudgeResult, Usage
from deepoj_domain.judgement.scoring import aggregate, overall_verdict
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.score import EVERYTHING, NOTHING, ZERO, Score
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict
from deepoj_domain.testing import a_suite

AC, WA, TLE, RE, SE = (
    Verdict.ACCEPTED,
    Verdict.WRONG_ANSWER,
    Verdict.TIME_LIMIT,
    Verdict.RUNTIME_ERROR,
    Verdict.SYSTEM_ERROR,
)


def _results(*verdicts: Verdict | None) -> list[CaseResult]:
    return [
        CaseResult(str(number), verdict, EVERYTHING if verdict is AC else NOTHING)
        for number, verdict in enumerate(verdicts, start=1)
    ]


@pytest.mark.parametrize(
    ("verdicts", "overall"),
    [
        ((AC, AC, AC), AC),
        ((AC, WA, TLE), WA),
        ((AC, TLE, WA), TLE),
        ((RE, None, None), RE),
        ((AC, WA, SE), SE),
        ((SE, WA, AC), SE),
    ],
)
def test_the_first_failure_names_the_verdict_but_our_own_failure_wins(
    verdicts: tuple[Verdict | None, ...], overall: Verdict
) -> None:
    assert overall_verdict(_results(*verdicts)) is overall


def test_pass_or_fail_is_all_or_nothing() -> None:
    assert aggregate(a_suite(), _results(AC, AC, AC)).score == Score.points(100)
    assert aggregate(a_suite(), _results(AC, AC, WA)).score == ZERO


def test_a_system_error_scores_nothing_at_all() -> None:
    result = aggregate(a_suite(), _results(AC, AC, SE))
    assert (result.verdict, result.groups) == (SE, ())


def test_usage_is_the_largest_over_the_cases() -> None:
    usages = (Usage(5, 900), Usage(70, 100), Usage(6, 6))
    results = [CaseResult.accepted(str(n), usage) for n, usage in enumerate(usages, start=1)]
    assert aggregate(a_suite(), results).usage == Usage(70, 900)


def test_results_must_be_those_of_the_suite_in_its_order() -> None:
    with pytest.raises(BrokenInvariantError):
        aggregate(a_suite(), _results(AC, AC))
    with pytest.raises(BrokenInvariantError):
        aggregate(a_suite(), list(reversed(_results(AC, AC, AC))))


@pytest.mark.parametrize("verdict", [None, *sorted(set(Verdict) - {AC, WA})])
def test_only_an_answer_can_earn_points(verdict: Verdict | None) -> None:
    with pytest.raises(BrokenInvariantError):
        CaseResult("1", verdict, EVERYTHING)


def test_a_compile_error_has_no_cases_and_a_short_message() -> None:
    result = JudgeResult.compile_error("x" * 10_000)
    assert (result.verdict, result.score, result.cases) == (Verdict.COMPILE_ERROR, ZERO, ())
    assert len(result.message) == 4000
    with pytest.raises(BrokenInvariantError):
        CaseResult.failed("1", Verdict.COMPILE_ERROR)


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        (CheckerWord.RIGHT, AC),
        (CheckerWord.WRONG, WA),
        (CheckerWord.BADLY_PRESENTED, Verdict.PRESENTATION_ERROR),
        (CheckerWord.BROKEN, SE),
        (None, SE),
    ],
)
def test_after_a_clean_run_the_checker_decides_and_a_broken_one_is_our_fault(
    word: CheckerWord | None, verdict: Verdict
) -> None:
    assert case_verdict(SandboxVerdict.OK, word) is verdict


@pytest.mark.parametrize(
    ("run", "word"), list(product(sorted(set(SandboxVerdict) - {SandboxVerdict.OK}), [None, *CheckerWord]))
)
def test_after_a_bad_run_no_checker_can_help(run: SandboxVerdict, word: CheckerWord | None) -> None:
    assert case_verdict(run, word).value == run.value


def test_sandbox_and_final_verdict_are_different_types() -> None:
    assert not issubclass(SandboxVerdict, Verdict)
    assert {verdict.value for verdict in SandboxVerdict} == {"OK", "TLE", "MLE", "OLE", "RE", "SE"}
    assert {verdict.value for verdict in Verdict} == {"AC", "WA", "PE", "TLE", "MLE", "OLE", "RE", "CE", "SE"}
