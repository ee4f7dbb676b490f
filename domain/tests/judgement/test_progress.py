"""How far a judgement is, as it is told while it runs."""

from dataclasses import replace

from deepoj_domain.judgement.progress import SHOWN_CASES, progress_of
from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.verdict import Verdict

PASSED = CaseResult.accepted("case")
WRONG = replace(PASSED, verdict=Verdict.WRONG_ANSWER)


def test_before_the_first_case_there_is_no_verdict() -> None:
    assert progress_of("s", 1, [], 2).verdict is None


def test_the_first_case_that_failed_decides_whatever_follows() -> None:
    results = [PASSED, CaseResult.skipped("case"), WRONG, PASSED]
    assert progress_of("s", 1, results[:2], 9).verdict is Verdict.ACCEPTED
    assert progress_of("s", 1, results, 9).verdict is Verdict.WRONG_ANSWER


def test_of_many_cases_the_latest_are_told_by_their_numbers() -> None:
    told = progress_of("s", 1, [PASSED] * (SHOWN_CASES + 7), 1000)
    assert (told.done, told.total) == (SHOWN_CASES + 7, 1000)
    assert [case.number for case in told.cases] == list(range(8, SHOWN_CASES + 8))
