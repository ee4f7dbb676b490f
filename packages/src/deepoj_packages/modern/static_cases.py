"""Tests of the source: a group has at most one, in the two keys of its test_group.yaml."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.refusal import PackageRefusedError, invalid
from deepoj_packages.shared.cases import DATA
from deepoj_packages.spec import Group, GroupScoring, StaticCase
from deepoj_packages.yamls import Section

KEYS = ("static_validation_score", "static_validator_args")
NAME = "static_validation"
_SCORE, _ARGUMENTS = KEYS
_PASS_FAIL = "pass-fail"  # noqa: S105 — a way to score


def read_static_case(
    section: Section, directory: PurePosixPath, group: Group, *, scoring: bool
) -> StaticCase | None:
    """`directory` is where the settings lie, `group` what it counts for."""
    arguments = section.texts(_ARGUMENTS)
    if not section.has(_SCORE):
        if arguments:
            raise invalid(f"{section.where}: {_ARGUMENTS} needs {_SCORE}, without which nothing is validated")
        return None
    return StaticCase(
        name=str((directory / NAME).relative_to(DATA)),
        group=group.name,
        points=_points(section, group, scoring=scoring),
        arguments=arguments,
    )


def _points(section: Section, group: Group, *, scoring: bool) -> Decimal:
    all_or_nothing = not scoring or group.scoring is GroupScoring.PASS_FAIL
    if section.text(_SCORE) == _PASS_FAIL:
        if not all_or_nothing:
            raise _wrong(section, f"is {_PASS_FAIL} only where the group is")
        return Decimal(0)
    points = section.decimal(_SCORE) or Decimal(0)
    if points < 0 or points != int(points):
        raise _wrong(section, f"must be {_PASS_FAIL} or a whole number that is not negative")
    if all_or_nothing:
        raise _wrong(section, f"must be {_PASS_FAIL} in a group that is all or nothing")
    if group.unbounded:
        raise _wrong(section, "cannot be judged here in a group whose max_score is unbounded")
    if points > group.points:
        raise _wrong(section, f"is more than the {group.points} points of the group")
    if group.scoring is GroupScoring.MIN and points != group.points:
        raise _wrong(section, f"must be {group.points}, as much as each case of a group with min")
    return points if group.scoring is GroupScoring.SUM else Decimal(0)


def _wrong(section: Section, what: str) -> PackageRefusedError:
    return invalid(f"{section.where}: {_SCORE} {what}")
