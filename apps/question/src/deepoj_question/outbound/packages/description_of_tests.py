"""Cases, groups and checker as a package says them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.question import case as domain
from deepoj_domain.question.checker import Checker, Convention, ProgramChecker, as_icpc
from deepoj_domain.question.group import GroupScoring, OnReject
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.suite import Suite
from deepoj_packages.refusal import unsupported
from deepoj_packages.spec import (
    SAMPLE,
    SECRET,
    Case,
    DefaultValidator,
    Group,
    OutputValidator,
    Program,
    Validator,
)
from deepoj_packages.spec import GroupScoring as PackageScoring

VALIDATOR: Final = PurePosixPath("output_validator")
_DATA: Final = PurePosixPath("data")
_SCORING_OF: Final = {
    GroupScoring.ALL: PackageScoring.PASS_FAIL,
    GroupScoring.MIN: PackageScoring.MIN,
    GroupScoring.SUM: PackageScoring.SUM,
    GroupScoring.MAX: PackageScoring.MAX,
}


def is_pass_fail(judging: Judging) -> bool:
    """Whether the points say no more than accepted or not."""
    suite, checker = judging.suite, judging.checker
    worth = [group for group in suite.groups if group.points.micros or group.unbounded]
    scores = isinstance(checker, ProgramChecker) and checker.scores
    return (
        not scores
        and len(worth) == 1
        and worth[0].scoring in {GroupScoring.ALL, GroupScoring.MIN}
        and not worth[0].unbounded
        and all(case.is_sample or case.group == worth[0].name for case in suite.cases)
    )


def groups_of(suite: Suite) -> tuple[Group, ...]:
    return tuple(
        Group(
            name=_group_name(group.name),
            points=group.points.as_decimal(),
            scoring=_SCORING_OF[group.scoring],
            depends_on=tuple(map(_group_name, group.depends_on)),
            breaks_on_reject=group.on_reject is OnReject.BREAK,
            unbounded=group.unbounded,
        )
        for group in suite.groups
    )


def cases_of(judging: Judging) -> tuple[Case, ...]:
    shared, whole = arguments_of(judging.checker), is_pass_fail(judging)
    return tuple(
        Case(
            name=_case_name(case, whole=whole),
            group=_group_name(case.group),
            input=object_path(case.input),
            answer=object_path(case.answer),
            points=case.points.as_decimal(),
            reject_points=case.reject_points.as_decimal(),
            is_sample=case.is_sample,
            output_validator_args=shared if case.checker_arguments is None else case.checker_arguments,
            full_feedback=case.is_sample,
        )
        for case in judging.suite.cases
    )


def validator_of(checker: Checker) -> Validator:
    if not isinstance(checker, ProgramChecker):
        return DefaultValidator()
    if checker.convention is not Convention.ICPC:
        raise unsupported("a package cannot say that its checker follows the convention of testlib")
    files = tuple(VALIDATOR / source.name for source in checker.sources)
    program = Program(VALIDATOR.name, VALIDATOR, checker.language, files[0], files)
    return OutputValidator(program=program, interactive=checker.interactive, scores=checker.scores)


def arguments_of(checker: Checker) -> tuple[str, ...]:
    if isinstance(checker, ProgramChecker):
        return checker.arguments
    same = as_icpc(checker)
    if same is None:
        raise unsupported("a package cannot name a checker by lines, by bytes or with Unicode rules")
    return same.flags


def object_path(content: ContentHash) -> PurePosixPath:
    return _DATA / content


def _group_name(name: str) -> str:
    top = PurePosixPath(name).parts[0]
    return name if top in {SAMPLE, SECRET} else f"{SECRET}/{name}"


def _case_name(case: domain.Case, *, whole: bool) -> str:
    """Cases of a package lie under sample or secret, and those of a group in its directory."""
    top = SAMPLE if case.is_sample else SECRET
    if PurePosixPath(case.name).parts[0] == top:
        return case.name
    return f"{top}/{case.name}" if whole or case.is_sample else f"{_group_name(case.group)}/{case.name}"
