"""Scores of any suite against a reference that follows the words of the documentation, in plain numbers."""

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.judgement.scoring import group_scores, may_skip
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.score import ZERO, Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Bundle, Group, GroupScoring, Suite

DATA = hash_of(b"data")
MICROS = 1_000_000
PLAIN = [each for each in GroupScoring if each is not GroupScoring.GRADED]
GATHERED = (GroupScoring.MIN, GroupScoring.MAX, GroupScoring.SUM)
MEASURED = settings(max_examples=300, derandomize=True, deadline=None, database=None)
Outcome = tuple[bool, int]
"""Whether a case is accepted, and its share in quarters."""


def gather(scoring: GroupScoring, scores: list[int]) -> int:
    if scoring is GroupScoring.SUM:
        return sum(scores)
    return min(scores) if scoring is GroupScoring.MIN else max(scores)


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    groups: list[Group] = []
    cases: list[Case] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"g{number}"
        scoring = draw(st.sampled_from(PLAIN))
        points = [4 * draw(st.integers(1, 5)) for _ in range(draw(st.integers(1, 3)))]
        earlier = draw(st.sets(st.sampled_from([each.name for each in groups]))) if groups else set()
        groups.append(
            Group(
                name,
                Score.points(sum(points)),
                scoring,
                depends_on=tuple(sorted(earlier)),
                lowered_by_dependencies=draw(st.booleans()),
            )
        )
        own = points if scoring is GroupScoring.SUM else [0] * len(points)
        cases += (
            Case(f"{name}/{place}", name, DATA, DATA, Score.points(worth) if worth else ZERO)
            for place, worth in enumerate(own)
        )
    return Suite(groups=tuple(groups), cases=tuple(cases), bundles=tuple(draw(bundles(groups))))


@st.composite
def bundles(draw: st.DrawFn, groups: list[Group]) -> list[Bundle]:
    points = {group.name: group.points.micros for group in groups}
    made: list[Bundle] = []
    while len(points) > 1 and draw(st.booleans()):
        parts = draw(st.lists(st.sampled_from(sorted(points)), min_size=1, unique=True))
        scoring = draw(st.sampled_from(GATHERED))
        name = f"b{len(made)}"
        points[name] = gather(scoring, [points.pop(part) for part in parts])
        breaks = draw(st.booleans())
        made.append(
            Bundle(
                name=name,
                parts=tuple(parts),
                scoring=scoring,
                points=Score(points[name]),
                breaks_on_reject=breaks,
            )
        )
    return made


def by_the_words(suite: Suite, outcomes: dict[str, Outcome]) -> dict[str, int]:
    """In millionths of a point, a group after the other."""
    earned: dict[str, int] = {}
    passed: dict[str, bool] = {}
    full: dict[str, int] = {}
    for group in suite.groups:
        own = [case for case in suite.cases if case.group == group.name]
        full[group.name] = points = group.points.micros
        shares = [Fraction(outcomes[case.name][1], 4) for case in own]
        right = all(outcomes[case.name][0] for case in own)
        score = {
            GroupScoring.ALL: Fraction(points if right else 0),
            GroupScoring.MIN: points * min(shares),
            GroupScoring.MAX: points * max(shares),
            GroupScoring.SUM: sum(
                (case.points.micros * share for case, share in zip(own, shares, strict=True)), Fraction(0)
            ),
        }[group.scoring]
        is_open = all(passed[each] for each in group.depends_on)
        if group.lowered_by_dependencies:
            bounds = [Fraction(earned[each], full[each]) for each in group.depends_on]
            score = min([score, *(Fraction(int(points * bound)) for bound in bounds)])
        elif not is_open:
            score = Fraction(0)
        earned[group.name] = int(score)
        passed[group.name] = is_open and right
    for bundle in suite.bundles:
        counted: list[int] = []
        accepted = True
        for part in bundle.parts:
            counted.append(earned.pop(part))
            accepted = accepted and passed[part]
            if not accepted and bundle.breaks_on_reject:
                break
        for part in bundle.parts:
            earned.pop(part, None)
        earned[bundle.name] = gather(bundle.scoring, counted)
        passed[bundle.name] = accepted
    return earned


@MEASURED
@given(suites(), st.data())
def test_a_suite_is_scored_as_the_words_say_also_when_cases_are_skipped(
    suite: Suite, data: st.DataObject
) -> None:
    outcomes: dict[str, Outcome] = {}
    for case in suite.cases:
        accepted = data.draw(st.booleans())
        outcomes[case.name] = (accepted, 4 if accepted else data.draw(st.integers(0, 3)))
    truth = [
        CaseResult(name, Verdict.ACCEPTED if right else Verdict.WRONG_ANSWER, Share(quarters * MICROS // 4))
        for name, (right, quarters) in outcomes.items()
    ]
    stopped: list[CaseResult] = []
    for case, result in zip(suite.cases, truth, strict=True):
        stopped.append(CaseResult.skipped(case.name) if may_skip(suite, case, stopped) else result)
    expected = by_the_words(suite, outcomes)
    for results in (truth, stopped):
        assert {each.group: each.score.micros for each in group_scores(suite, results)} == expected
