"""Did an example submission do what its package says? Pure: from a result to sentences."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.kernel.verdict import Verdict
from deepoj_packages.shared.globs import matches
from deepoj_packages.spec import Expectation, Outcome

_OUTCOMES = {
    Verdict.ACCEPTED: Outcome.AC,
    Verdict.WRONG_ANSWER: Outcome.WA,
    Verdict.PRESENTATION_ERROR: Outcome.WA,
    Verdict.TIME_LIMIT: Outcome.TLE,
    Verdict.MEMORY_LIMIT: Outcome.RTE,
    Verdict.OUTPUT_LIMIT: Outcome.RTE,
    Verdict.RUNTIME_ERROR: Outcome.RTE,
    Verdict.COMPILE_ERROR: Outcome.CE,
}


def differences(expectations: Sequence[Expectation], result: JudgeResult) -> tuple[str, ...]:
    """Return nothing when everything is as expected."""
    if result.verdict is Verdict.SYSTEM_ERROR:
        return (_judging_failed(result),)
    if result.verdict is Verdict.COMPILE_ERROR:
        wanted = any(Outcome.CE in (each.final or ()) for each in expectations)
        return () if wanted else ("it does not compile",)
    found: list[str] = []
    for expected in expectations:
        found += _differences(expected, result)
    return tuple(dict.fromkeys(found))


def must_be_right(expectations: Sequence[Expectation]) -> bool:
    return any(not each.cases and each.permitted == frozenset({Outcome.AC}) for each in expectations)


def _judging_failed(result: JudgeResult) -> str:
    failed = next((case for case in result.cases if case.verdict is Verdict.SYSTEM_ERROR), None)
    return f"{failed.case}: {failed.message}" if failed else result.message


def _differences(expected: Expectation, result: JudgeResult) -> Iterator[str]:
    cases = [case for case in result.cases if _is_about(expected, case)]
    if expected.permitted is not None:
        yield from _not_permitted(expected.permitted, cases)
    if expected.required is not None and not any(_outcome(case) in expected.required for case in cases):
        where = f" in {expected.cases}" if expected.cases else ""
        yield f"no case{where} is {_words(expected.required)}"
    if expected.final is not None and not _is_final(expected.final, result.verdict):
        yield f"it is {result.verdict}, and should be {_words(expected.final)}"
    if expected.score is not None:
        yield from _score_differs(expected.score, expected.cases, result)
    if expected.message and not any(expected.message in case.message for case in cases):
        yield f"nowhere does the output validator say {expected.message!r}"


def _is_about(expected: Expectation, case: CaseResult) -> bool:
    if case.verdict is None:
        return False
    return not expected.cases or matches(expected.cases, case.case)


def _not_permitted(permitted: frozenset[Outcome], cases: Sequence[CaseResult]) -> Iterator[str]:
    wrong = [case for case in cases if _outcome(case) not in permitted]
    if wrong:
        more = f" and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        said = f" ({wrong[0].message})" if wrong[0].message else ""
        yield f"{wrong[0].case}{more} should be {_words(permitted)}, and is {wrong[0].verdict}{said}"


def _score_differs(wanted: tuple[Decimal, Decimal], cases: str, result: JudgeResult) -> Iterator[str]:
    earned = [group.score for group in result.groups if not cases or matches(cases, group.group)]
    score = sum((each.as_decimal() for each in earned), Decimal(0))
    low, high = wanted
    if not low <= score <= high:
        meant = f"{low:f}" if low == high else f"{low:f} to {high:f}"
        yield f"it scores {score.normalize():f}, and should score {meant}"


def _is_final(wanted: frozenset[Outcome], verdict: Verdict) -> bool:
    if verdict is Verdict.OUTPUT_LIMIT and Outcome.OLE in wanted:
        return True
    return _OUTCOMES.get(verdict) in wanted


def _outcome(case: CaseResult) -> Outcome | None:
    return _OUTCOMES.get(case.verdict) if case.verdict else None


def _words(outcomes: frozenset[Outcome]) -> str:
    return " or ".join(sorted(outcomes))


def summary(expectations: Sequence[Expectation]) -> str:
    """What is expected, in a few words for a table."""
    parts = []
    for expected in expectations:
        outcomes = expected.final or expected.required or expected.permitted
        where = f" in {expected.cases}" if expected.cases else ""
        if outcomes:
            parts.append(_words(outcomes) + where)
        if expected.score:
            low, high = expected.score
            parts.append(f"score {low:f}" if low == high else f"score {low:f} to {high:f}")
    return ", ".join(dict.fromkeys(parts))
