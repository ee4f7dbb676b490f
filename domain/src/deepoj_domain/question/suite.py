"""The test suite of a revision: groups, and cases in their one fixed order.

A plain pass-or-fail problem is the special case of one MIN group.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

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
    GRADED = "graded"
    """The grader of the question says what is earned, from what each case earned for itself."""


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
    grader_arguments: tuple[str, ...] = field(default=(), metadata=LATER)

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("group_unnamed", "a group needs a name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """Groups, or bundles before it, that earn one score together: the least, the best, a grader's."""

    name: str
    parts: tuple[str, ...]
    scoring: GroupScoring
    points: Score
    unbounded: bool = False
    """As that of a group: some part of it is, or nobody says how much the grader may give."""
    breaks_on_reject: bool = False
    """What comes after the first part that is not accepted does not count."""
    grader_arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or not self.parts:
            raise InvalidValueError("bundle_empty", "a bundle of groups needs a name and a group")
        if self.scoring is GroupScoring.ALL:
            raise InvalidValueError("bundle_scoring", f"bundle {self.name!r} cannot ask for all cases")


class StopPolicy(StrEnum):
    FIRST_FAILURE = "first_failure"
    """Cases that can no longer change the score are skipped."""
    RUN_ALL = "run_all"


@dataclass(frozen=True, slots=True)
class Suite:
    groups: tuple[Group, ...]
    cases: tuple[Case, ...]
    stop: StopPolicy = StopPolicy.FIRST_FAILURE
    bundles: tuple[Bundle, ...] = field(default=(), metadata=LATER)

    def __post_init__(self) -> None:
        _check_groups(self.groups)
        _check_cases(self.groups, self.cases)
        for group in self.groups:
            _check_points(group, self.cases_of(group))
        _check_bundles(self.groups, self.bundles)

    def group_of(self, case: Case) -> Group:
        return next(group for group in self.groups if group.name == case.group)

    def cases_of(self, group: Group) -> tuple[Case, ...]:
        return tuple(case for case in self.cases if case.group == group.name)

    @property
    def units(self) -> tuple[Group | Bundle, ...]:
        """What earns points: groups and bundles that are in no bundle, by their first group."""
        bundle_of = {part: bundle for bundle in self.bundles for part in bundle.parts}
        units: dict[str, Group | Bundle] = {}
        for group in self.groups:
            unit: Group | Bundle = group
            while unit.name in bundle_of:
                unit = bundle_of[unit.name]
            units[unit.name] = unit
        return tuple(units.values())

    @property
    def groups_and_bundles(self) -> tuple[Group | Bundle, ...]:
        return (*self.groups, *self.bundles)

    @property
    def is_graded(self) -> bool:
        return any(each.scoring is GroupScoring.GRADED for each in self.groups_and_bundles)

    @property
    def full_score(self) -> Score:
        return Score.total(unit.points for unit in self.units)


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
    if group.scoring not in _OF_CASES and of_cases.micros:
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


_OF_CASES: Final = frozenset({GroupScoring.SUM, GroupScoring.GRADED})
"""Where each case has points of its own."""


def worth(group: Group, case: Case) -> Score:
    """What a right answer to this one case stands for."""
    return case.points if group.scoring in _OF_CASES else group.points


def _check_bundles(groups: tuple[Group, ...], bundles: tuple[Bundle, ...]) -> None:
    free: dict[str, Group | Bundle] = {group.name: group for group in groups}
    names = set(free)
    for bundle in bundles:
        if bundle.name in names:
            raise InvalidValueError("bundle_twice", f"{bundle.name!r} names two groups or bundles")
        parts = [free.pop(name, None) for name in bundle.parts]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            raise InvalidValueError(
                "bundle_parts", f"bundle {bundle.name!r} has a part that is not there, or in another bundle"
            )
        if bundle.scoring is not GroupScoring.GRADED:
            _check_points_of(bundle, known)
        free[bundle.name] = bundle
        names.add(bundle.name)


def _check_points_of(bundle: Bundle, parts: Sequence[Group | Bundle]) -> None:
    if bundle.unbounded is not any(part.unbounded for part in parts):
        raise InvalidValueError("bundle_unbounded", f"bundle {bundle.name!r} is as bounded as its parts are")
    together = gathered(bundle.scoring, [part.points for part in parts])
    if not bundle.unbounded and bundle.points != together:
        raise InvalidValueError(
            "bundle_points", f"the parts of bundle {bundle.name!r} give {together}, not {bundle.points}"
        )


def gathered(scoring: GroupScoring, scores: Sequence[Score]) -> Score:
    """Make one score of several, where no grader does."""
    match scoring:
        case GroupScoring.MIN:
            return min(scores)
        case GroupScoring.MAX:
            return max(scores)
        case GroupScoring.SUM | GroupScoring.ALL | GroupScoring.GRADED:
            return Score.total(scores)
