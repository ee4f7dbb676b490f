"""From case results to one verdict and a score, and which cases need not run.

The first failing case, in the fixed order of the suite, names the verdict. One exception: a system error
anywhere wins, because our failure must never be shown as the contestant's.

Stopping early skips only where the score can no longer change, so it gives the same score as running all
cases. A group that breaks on its first rejected case is different: there the cases after it are not wanted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.errors import BrokenInvariantError
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import (
    Bundle,
    Group,
    GroupScoring,
    OnReject,
    StopPolicy,
    Suite,
    gathered,
    worth,
)


@dataclass(frozen=True, slots=True)
class Grade:
    """What became of a group or a bundle."""

    verdict: Verdict
    score: Score


Grades = Mapping[str, Grade]
"""By the names of groups and bundles."""
UNGRADED: Final[Grades] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ToGrade:
    """A group or bundle whose parts are known, and what they came to."""

    unit: Group | Bundle
    parts: tuple[Grade, ...]
    last_case: str


def next_to_grade(suite: Suite, results: Sequence[CaseResult], grades: Grades) -> ToGrade | None:
    """Return what a grader is to be asked next; None when nothing is left. Each case has a result."""
    return _grown(suite, results, grades)[1]


def group_scores(
    suite: Suite, results: Sequence[CaseResult], grades: Grades = UNGRADED
) -> tuple[GroupScore, ...]:
    """Of the groups whose cases all have a result, and of bundles when all have; each point counts once."""
    groups = _scores_of_groups(suite, results, grades)
    if not suite.bundles or len(results) < len(suite.cases):
        return groups
    known, _ = _grown(suite, results, grades)
    return tuple(GroupScore(unit.name, known[unit.name].score) for unit in suite.units)


def _grown(
    suite: Suite, results: Sequence[CaseResult], grades: Grades
) -> tuple[Mapping[str, Grade], ToGrade | None]:
    """From groups to bundles, as far as that goes without asking the grader."""
    by_case = {result.case: result for result in results}
    scores = {each.group: each.score for each in _scores_of_groups(suite, results, grades)}
    known: dict[str, Grade] = {}
    last: dict[str, str] = {}
    for group in suite.groups:
        cases = suite.cases_of(group)
        last[group.name] = cases[-1].name
        ran = [_on_its_own(group, case, by_case[case.name]) for case in cases if by_case[case.name].verdict]
        if group.scoring is GroupScoring.GRADED and ran and group.name not in grades:
            return known, ToGrade(group, tuple(ran), last[group.name])
        locked = [known[each] for each in group.depends_on if known[each].verdict is not Verdict.ACCEPTED]
        known[group.name] = grades.get(group.name) or Grade(
            _first_failure([*ran, *locked]), scores[group.name]
        )
    for bundle in suite.bundles:
        last[bundle.name] = last[bundle.parts[-1]]
        parts = _counted(bundle, [known[part] for part in bundle.parts])
        if bundle.scoring is GroupScoring.GRADED and bundle.name not in grades:
            return known, ToGrade(bundle, tuple(parts), last[bundle.name])
        known[bundle.name] = grades.get(bundle.name) or Grade(
            _first_failure(parts), gathered(bundle.scoring, [part.score for part in parts])
        )
    return known, None


def _on_its_own(group: Group, case: Case, result: CaseResult) -> Grade:
    return Grade(result.verdict or Verdict.WRONG_ANSWER, case_score(group, case, result))


def _first_failure(parts: Sequence[Grade]) -> Verdict:
    """Nothing that ran is nothing that was accepted."""
    failed = (part.verdict for part in parts if part.verdict is not Verdict.ACCEPTED)
    return next(failed, Verdict.ACCEPTED if parts else Verdict.WRONG_ANSWER)


def _counted(bundle: Bundle, parts: Sequence[Grade]) -> Sequence[Grade]:
    rejected = (place for place, part in enumerate(parts, 1) if part.verdict is not Verdict.ACCEPTED)
    return parts[: next(rejected, None)] if bundle.breaks_on_reject else parts


def _scores_of_groups(suite: Suite, results: Sequence[CaseResult], grades: Grades) -> tuple[GroupScore, ...]:
    by_case = {result.case: result for result in results}
    passed: set[str] = set()
    shares: dict[str, Fraction] = {}
    scores: list[GroupScore] = []
    for group in suite.groups:
        cases = suite.cases_of(group)
        if any(case.name not in by_case for case in cases):
            break
        unlocked = passed.issuperset(group.depends_on)
        earned = ZERO
        if unlocked or group.lowered_by_dependencies:
            earned = grades[group.name].score if group.name in grades else _earned(group, cases, by_case)
        if group.lowered_by_dependencies:
            least = min((shares[each] for each in group.depends_on), default=Fraction(1))
            earned = min(earned, Score(int(group.points.micros * least)))
        scores.append(GroupScore(group.name, earned))
        if unlocked and all(by_case[case.name].passed for case in cases):
            passed.add(group.name)
        shares[group.name] = _share(group, earned, passed=group.name in passed)
    return tuple(scores)


def _share(group: Group, earned: Score, *, passed: bool) -> Fraction:
    if group.points == ZERO:
        return Fraction(passed)
    return Fraction(min(earned, group.points).micros, group.points.micros)


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
    if _is_lost(suite, group, so_far, {each.group for each, _ in rejected}):
        return True
    match group.scoring:
        case GroupScoring.MIN:
            return any(case_score(group, each, result) == ZERO for each, result in own)
        case GroupScoring.ALL:
            return bool(own)
        case GroupScoring.SUM | GroupScoring.MAX | GroupScoring.GRADED:
            # The best case may be known; whether all are right, and so the verdict, is not.
            return False


def _is_lost(suite: Suite, group: Group, so_far: Sequence[CaseResult], rejected: set[str]) -> bool:
    """Whether the groups it depends on leave it nothing."""
    if not group.lowered_by_dependencies:
        return not rejected.isdisjoint(group.depends_on)
    if rejected.isdisjoint(group.depends_on):
        return False
    earned = {each.group: each.score for each in _scores_of_groups(suite, so_far, UNGRADED)}
    return any(each in rejected and earned[each] == ZERO for each in group.depends_on)


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
        case GroupScoring.GRADED:
            return ZERO  # until the grader was asked


def aggregate(suite: Suite, results: Sequence[CaseResult], grades: Grades = UNGRADED) -> JudgeResult:
    if [result.case for result in results] != [case.name for case in suite.cases]:
        raise BrokenInvariantError("there must be one result for each case, in the order of the suite")
    verdict = overall_verdict(results)
    return JudgeResult(
        verdict=verdict,
        groups=() if verdict is Verdict.SYSTEM_ERROR else group_scores(suite, results, grades),
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
