"""Subtask scoring, and which cases need not run.

Skipping is only ever done where the score can no longer change, so stopping early and running all cases
give the same score.
"""

from collections.abc import Sequence

from deepoj_domain.judgement.result import CaseResult, GroupScore
from deepoj_domain.kernel.score import NOTHING, ZERO, Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.group import Group, GroupScoring
from deepoj_domain.question.suite import StopPolicy, Suite


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
    if suite.stop is StopPolicy.RUN_ALL:
        return False
    group = next(group for group in suite.groups if group.name == case.group)
    not_passed = {suite.cases[position].group for position, result in enumerate(so_far) if not result.passed}
    if not_passed.intersection(group.depends_on):
        return True
    own = (result for position, result in enumerate(so_far) if suite.cases[position].group == group.name)
    return group.scoring is GroupScoring.MIN and any(
        not result.passed and result.share == NOTHING for result in own
    )


def _earned(group: Group, cases: Sequence[Case], by_case: dict[str, CaseResult]) -> Score:
    match group.scoring:
        case GroupScoring.MIN:
            return group.points.share(min(by_case[case.name].share for case in cases))
        case GroupScoring.SUM:
            return Score.total(case.points.share(by_case[case.name].share) for case in cases)
