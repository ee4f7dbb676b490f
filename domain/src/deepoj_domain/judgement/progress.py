"""How far a judgement is, told while it runs. Nothing depends on it: the result says all of it again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.verdict import Verdict

SHOWN_CASES: Final = 100
_KIB: Final = 1024


@dataclass(frozen=True, slots=True)
class CaseProgress:
    number: int
    verdict: Verdict | None
    """None: skipped."""
    time_ms: int
    memory_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeProgress:
    submission_id: str
    attempt_id: int
    done: int
    total: int
    verdict: Verdict | None
    """Of the first case that failed, else of all so far; None before the first."""
    cases: tuple[CaseProgress, ...]
    """The latest of them."""


def progress_of(
    submission_id: str, attempt_id: int, results: Sequence[CaseResult], total: int
) -> JudgeProgress:
    done = len(results)
    first = max(0, done - SHOWN_CASES)
    failed = (each.verdict for each in results if each.verdict is not None and not each.passed)
    return JudgeProgress(
        submission_id=submission_id,
        attempt_id=attempt_id,
        done=done,
        total=total,
        verdict=next(failed, Verdict.ACCEPTED if done else None),
        cases=tuple(
            CaseProgress(number, each.verdict, each.usage.time_ms, each.usage.memory_kib * _KIB)
            for number, each in enumerate(results[first:], start=first + 1)
        ),
    )
