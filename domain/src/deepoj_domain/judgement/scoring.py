"""Subtask scoring, and which cases need not run.

Stopping early skips only where the score can no longer change, so it gives the same score as running all
cases. A group that breaks on its first rejected case is different: there the cases after it are not wanted.
"""

from collections.abc import Sequence

from deepoj_domain.judgement.result import CaseResult, GroupScore
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.group import Group, GroupScoring, OnReject
from deepoj_domain.question.suite import StopPolicy, Suite, worth


def group_scores(suite: Suite, results: Sequence[CaseResult]) -> tuple[GroupScore, ...]:
    by_case = {result.case: result for result in results}
    passed: set[str] = set()
    scores: list[GroupScore] = []
    for group in suite.groups:
        cases = suite.cases_of(group)
        unlocked = passed.issuperset(group.depends_on)
        scores.append(GroupScore(group.name, _earned(group, cases, by_case) if unlocked else ZERO))
        if unlocked and all(by_case[case.name].passed for case in cases):
            passed.add(group.name)
    return tuple(scores)


def may_skip(suite: Suite, case: Case, so_far: Sequence[CaseResult]) -> bool:
    """`so_far` holds the results of all cases before `case`, skipped ones included."""
    group = suite.group_of(case)
    rejected = [
        (suite.cases[position], result) for position, result in enumerate(so_far) if not result.passed
    ]
    own = [(each, result) for each, result in rejected if each.group == group.name]
    if own and group.on_reject is OnReject.BREAK:
        return True
    if suite.stop is StopPolicy.RUN_ALL:
        return False
    if not {each.group for each, _ in rejected}.isdisjoint(group.depends_on):
        return True
    match group.scoring:
        case GroupScoring.MIN:
            return any(case_score(group, each, result) == ZERO for each, result in own)
        case GroupScoring.ALL:
            return bool(own)
        case GroupScoring.SUM | GroupScoring.MAX:
            # The best case may be known; whether all are right, and so the verdict, is not.
            return False


def case_score(group: Group, case: Case, result: CaseResult) -> Score:
    """What the case earned for itself. A checker's own points count as they are."""
    if result.verdict is None:
        return ZERO
    if result.points is not None:
        return result.points
    earned = worth(group, case).share(result.share)
    return earned if result.passed else max(earned, case.reject_points)


def _earned(group: Group, cases: Sequence[Case], by_case: dict[str, CaseResult]) -> Score:
    match group.scoring:
        case GroupScoring.MIN:
            # A skipped case is never the worst: another one had decided before it.
            ran = [case for case in cases if by_case[case.name].verdict is not None]
            return min((case_score(group, case, by_case[case.name]) for case in ran), default=ZERO)
        case GroupScoring.SUM:
            return Score.total(case_score(group, case, by_case[case.name]) for case in cases)
        case GroupScoring.MAX:
            return max(case_score(group, case, by_case[case.name]) for case in cases)
        case GroupScoring.ALL:
            return group.points if all(by_case[case.name].passed for case in cases) else ZERO
