"""One result out of many cases."""

from dataclasses import replace

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.judgement.scoring import Grades, aggregate
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.suite import Suite


def aggregate_cases(suite: Suite, results: list[CaseResult], grades: Grades) -> JudgeResult:
    result = aggregate(suite, results, grades)
    if result.verdict is not Verdict.SYSTEM_ERROR:
        return result
    broken = next(case for case in results if case.verdict is Verdict.SYSTEM_ERROR)
    # Contestants read this; what the checker said stays with the case, for setters.
    return replace(result, message=f"the judge failed on case {broken.case}")
