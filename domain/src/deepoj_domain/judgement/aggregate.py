"""From case results to one verdict.

The first failing case, in the fixed order of the suite, names the verdict. One exception: a system error
anywhere wins, because our failure must never be shown as the contestant's.
"""

from collections.abc import Sequence

from deepoj_domain.judgement.result import CaseResult, JudgeResult, Usage
from deepoj_domain.judgement.scoring import group_scores
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.suite import Suite


def aggregate(suite: Suite, results: Sequence[CaseResult]) -> JudgeResult:
    if [result.case for result in results] != [case.name for case in suite.cases]:
        raise BrokenInvariantError("there must be one result for each case, in the order of the suite")
    verdict = overall_verdict(results)
    return JudgeResult(
        verdict=verdict,
        groups=() if verdict is Verdict.SYSTEM_ERROR else group_scores(suite, results),
        usage=Usage(
            time_ms=max(result.usage.time_ms for result in results),
            memory_kib=max(result.usage.memory_kib for result in results),
        ),
        cases=tuple(results),
    )


def overall_verdict(results: Sequence[CaseResult]) -> Verdict:
    failures = [result.verdict for result in results if result.verdict and not result.passed]
    if Verdict.SYSTEM_ERROR in failures:
        return Verdict.SYSTEM_ERROR
    return failures[0] if failures else Verdict.ACCEPTED
