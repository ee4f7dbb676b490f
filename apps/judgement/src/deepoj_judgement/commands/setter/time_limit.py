"""What running times say about the time limit. Times are those of a language whose factor is 1."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.judgement.scoring import aggregate
from deepoj_domain.kernel.score import NOTHING
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.suite import Suite
from deepoj_packages.spec import Expectation, Outcome, ProblemLimits


@dataclass(frozen=True, slots=True)
class Measured:
    name: str
    time_ms: int


def bounds_from_below(expectations: Sequence[Expectation]) -> bool:
    """It may never be too slow, so the limit must leave it room."""
    return any(
        each.bounds_time_limit
        and not each.cases
        and each.permitted is not None
        and Outcome.TLE not in each.permitted
        for each in expectations
    )


def bounds_from_above(expectations: Sequence[Expectation]) -> bool:
    """It must be too slow somewhere, and clearly so."""
    return any(each.bounds_time_limit and each.required == frozenset({Outcome.TLE}) for each in expectations)


def in_base_time(time_ms: int, percent: int) -> int:
    return time_ms * 100 // percent


def suggested_ms(slowest: Sequence[Measured], limits: ProblemLimits) -> int:
    """The smallest multiple of the resolution that leaves the slowest its factor."""
    needed = max(each.time_ms for each in slowest) * limits.slowest_accepted_factor
    steps = (needed / limits.time_resolution_ms).to_integral_value(ROUND_CEILING)
    return max(1, int(steps)) * limits.time_resolution_ms


def stretched_ms(time_ms: int, limits: ProblemLimits) -> int:
    return int(Decimal(time_ms) * limits.fastest_rejected_factor)


def as_if_limited(suite: Suite, result: JudgeResult, limit_ms: int) -> JudgeResult:
    """Judge by a shorter limit what was run under a longer one."""
    if not result.cases:
        return result
    own = {case.name for case in suite.cases if case.time_ms}
    return aggregate(suite, [case if case.case in own else _limited(case, limit_ms) for case in result.cases])


def _limited(case: CaseResult, limit_ms: int) -> CaseResult:
    if case.verdict in {None, Verdict.SYSTEM_ERROR} or case.usage.time_ms <= limit_ms:
        return case
    return replace(case, verdict=Verdict.TIME_LIMIT, share=NOTHING, points=None)


def is_too_close(result: JudgeResult, limit_ms: int) -> bool:
    """Every case that is late under the limit would have been in time under the longer one."""
    late = [case for case in result.cases if case.verdict and case.usage.time_ms > limit_ms]
    return bool(late) and all(case.verdict is not Verdict.TIME_LIMIT for case in late)
