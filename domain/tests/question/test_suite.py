from dataclasses import replace

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case
from deepoj_domain.question.suite import Group, GroupScoring, Suite
from deepoj_domain.testing import a_suite

DATA = hash_of(b"data")
TEN = Score.points(10)
A, B = Group("a", TEN), Group("b", TEN)


def _case(name: str, group: str, points: int = 0) -> Case:
    return Case(name, group, DATA, DATA, Score.points(points))


@pytest.mark.parametrize(
    ("groups", "cases", "code"),
    [
        ((A,), (), "no_cases"),
        ((A, A), (_case("1", "a"),), "group_twice"),
        ((A,), (_case("1", "a"), _case("1", "a")), "case_twice"),
        ((A,), (_case("1", "z"),), "case_without_group"),
        ((A, B), (_case("1", "a"),), "group_without_cases"),
        ((A, B), (_case("1", "b"), _case("2", "a")), "cases_not_in_group_order"),
        ((replace(A, depends_on=("b",)), B), (_case("1", "a"), _case("2", "b")), "group_dependency"),
        ((replace(A, depends_on=("a",)),), (_case("1", "a"),), "group_dependency"),
        ((replace(A, scoring=GroupScoring.SUM),), (_case("1", "a", 9),), "points_do_not_add_up"),
        ((A,), (_case("1", "a", 10),), "points_on_min_case"),
        ((replace(A, scoring=GroupScoring.ALL),), (_case("1", "a", 10),), "points_on_min_case"),
        ((A,), (replace(_case("1", "a"), reject_points=Score.points(11)),), "reject_points_too_high"),
    ],
)
def test_a_suite_that_cannot_be_scored_is_refused(
    groups: tuple[Group, ...], cases: tuple[Case, ...], code: str
) -> None:
    with pytest.raises(InvalidValueError) as refused:
        Suite(groups, cases)
    assert refused.value.code == code


def test_the_full_score_is_the_sum_of_the_groups() -> None:
    suite = Suite((A, B), (_case("1", "a"), _case("2", "b")))
    assert suite.full_score == Score.points(20)
    assert a_suite().full_score == Score.points(100)


def test_points_without_a_bound_need_not_add_up() -> None:
    group = replace(A, scoring=GroupScoring.SUM, unbounded=True)
    assert Suite((group,), (_case("1", "a", 3),)).full_score == TEN


def test_names_are_required() -> None:
    with pytest.raises(InvalidValueError):
        _case("", "a")
    with pytest.raises(InvalidValueError):
        Group("", TEN)
