"""The test suite of a revision: groups, and cases in their one fixed order.

A plain pass-or-fail problem is the special case of one MIN group.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from deepoj_domain.kernel.digest import LATER
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.case import Case


class GroupScoring(StrEnum):
    MIN = "min"
    """The worst case decides how much of the group's points is earned."""
    SUM = "sum"
    """Each case earns its own points."""
    MAX = "max"
    """The best case decides how much of the group's points is earned."""
    ALL = "all"
    """Every point when all cases are accepted, none otherwise, whatever share a checker gives."""


class OnReject(StrEnum):
    CONTINUE = "continue"
    BREAK = "break"
    """The first case that is not accepted is the last of its group; what was not run earns nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """A subtask. Unless lowered, it scores only when every group it depends on has passed all its cases."""

    name: str
    points: Score
    scoring: GroupScoring = GroupScoring.MIN
    depends_on: tuple[str, ...] = ()
    on_reject: OnReject = OnReject.CONTINUE
    unbounded: bool = False
    """A checker that scores may give more than `points`."""
    lowered_by_dependencies: bool = field(default=False, metadata=LATER)
    """It earns no larger share of its points than any group it depends on did of its own."""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("group_unnamed", "a group needs a name")


class StopPolicy(StrEnum):
    FIRST_FAILURE = "first_failure"
    """Cases that can no longer change the score are skipped."""
    RUN_ALL = "run_all"


@dataclass(frozen=True, slots=True)
class Suite:
    groups: tuple[Group, ...]
    cases: tuple[Case, ...]
    stop: StopPolicy = StopPolicy.FIRST_FAILURE

    def __post_init__(self) -> None:
        _check_groups(self.groups)
        _check_cases(self.groups, self.cases)
        for group in self.groups:
            _check_points(group, self.cases_of(group))

    def group_of(self, case: Case) -> Group:
        return next(group for group in self.groups if group.name == case.group)

    def cases_of(self, group: Group) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.group == group.name)

    @property
    def full_score(self) -> Score:
        return Score.total(group.points for group in self.groups)


def _check_groups(groups: tuple[Group, ...]) -> None:
    seen: set[str] = set()
    for group in groups:
        if group.name in seen:
            raise InvalidValueError("group_twice", f"group {group.name!r} appears twice")
        # Only earlier groups: no cycle can be written, and results are known when they are needed.
        for needed in group.depends_on:
            if needed not in seen:
                raise InvalidValueError(
                    "group_dependency",
                    f"group {group.name!r} may depend on earlier groups only, not {needed!r}",
                )
        seen.add(group.name)


def _check_cases(groups: tuple[Group, ...], cases: tuple[Case, ...]) -> None:
    if not cases:
        raise InvalidValueError("no_cases", "a question needs at least one case")
    if len({case.name for case in cases}) != len(cases):
        raise InvalidValueError("case_twice", "two cases have the same name")
    order = {group.name: position for position, group in enumerate(groups)}
    if unknown := [case.name for case in cases if case.group not in order]:
        raise InvalidValueError("case_without_group", f"case {unknown[0]!r} is in no group of this question")
    positions = [order[case.group] for case in cases]
    if positions != sorted(positions):
        raise InvalidValueError("cases_not_in_group_order", "cases must be listed group by group")


def _check_points(group: Group, cases: tuple[Case, ...]) -> None:
    if not cases:
        raise InvalidValueError("group_without_cases", f"group {group.name!r} has no cases")
    of_cases = Score.total(case.points for case in cases)
    if group.scoring is not GroupScoring.SUM and of_cases.micros:
        raise InvalidValueError(
            "points_on_min_case", f"cases of {group.name!r} may not carry points of their own"
        )
    if group.unbounded:
        return
    if group.scoring is GroupScoring.SUM and of_cases != group.points:
        raise InvalidValueError(
            "points_do_not_add_up", f"cases of {group.name!r} give {of_cases}, not {group.points}"
        )
    if any(case.reject_points > worth(group, case) for case in cases):
        raise InvalidValueError(
            "reject_points_too_high", f"a rejected case of {group.name!r} may not earn more than a right one"
        )


def worth(group: Group, case: Case) -> Score:
    """What a right answer to this one case stands for."""
    return case.points if group.scoring is GroupScoring.SUM else group.points
