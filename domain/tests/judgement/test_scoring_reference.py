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
from deepoj_domain.question.suite import Group, GroupScoring, Suite

DATA = hash_of(b"data")
MICROS = 1_000_000
MEASURED = settings(max_examples=300, derandomize=True, deadline=None, database=None)
Outcome = tuple[bool, int]
"""Whether a case is accepted, and its share in quarters."""


@st.composite
def suites(draw: st.DrawFn) -> Suite:
    groups: list[Group] = []
    cases: list[Case] = []
    for number in range(draw(st.integers(1, 4))):
        name = f"g{number}"
        scoring = draw(st.sampled_from(list(GroupScoring)))
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
    return Suite(groups=tuple(groups), cases=tuple(cases))


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
