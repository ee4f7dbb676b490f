"""The part of a package that a setter wants looked at. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal

from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_judgement.commands.setter.verify_options import VerifyOptions
from deepoj_packages.shared.globs import matches
from deepoj_packages.spec import (
    Case,
    Expectation,
    Group,
    GroupScoring,
    Outcome,
    ProblemSpec,
    StaticCase,
    Submission,
)

_NAMED = 5
_NOT_COMPILED = frozenset({Outcome.CE})


def narrowed(package: ProblemSpec, options: VerifyOptions) -> ProblemSpec:
    """Raise SetterFailedError when a filter leaves nothing."""
    if options.submissions:
        package = replace(package, submissions=_chosen_submissions(package, options.submissions))
    if options.cases:
        package = _with_cases(package, options.cases)
    if options.time_limit_ms is not None:
        package = replace(package, limits=replace(package.limits, time_ms=options.time_limit_ms))
    return package


def _chosen_submissions(package: ProblemSpec, patterns: Sequence[str]) -> tuple[Submission, ...]:
    names = [submission.name for submission in package.submissions]
    chosen = _chosen("submission", names, patterns)
    return tuple(each for each in package.submissions if each.name in chosen)


def _with_cases(package: ProblemSpec, patterns: Sequence[str]) -> ProblemSpec:
    chosen = _chosen("case", [case.name for case in package.cases], patterns)
    cases = tuple(case for case in package.cases if case.name in chosen)
    left = {case.group for case in cases}
    static = tuple(
        case
        for case in package.static_cases
        if case.group in left and any(matches(pattern, case.name) for pattern in patterns)
    )
    rest: tuple[Case | StaticCase, ...] = (*cases, *static)
    return replace(
        package,
        cases=cases,
        static_cases=static,
        static_validator=package.static_validator if static else None,
        groups=tuple(_with_rest(group, rest, left) for group in package.groups if group.name in left),
        submissions=tuple(
            replace(each, expectations=tuple(map(_about_some, each.expectations)))
            for each in package.submissions
        ),
    )


def _with_rest(group: Group, cases: Iterable[Case | StaticCase], left: set[str]) -> Group:
    depends_on = tuple(name for name in group.depends_on if name in left)
    points = group.points
    if group.scoring is GroupScoring.SUM:
        points = sum((case.points for case in cases if case.group == group.name), Decimal(0))
    return replace(group, depends_on=depends_on, points=points)


def _about_some(expected: Expectation) -> Expectation:
    """What must be somewhere, or of the whole, may be due to cases that are left out."""
    final = expected.final if expected.final == _NOT_COMPILED else None
    return replace(expected, required=None, final=final, score=None, message="")


def _chosen(what: str, names: Sequence[str], patterns: Sequence[str]) -> set[str]:
    for pattern in patterns:
        if not any(matches(pattern, name) for name in names):
            more = ", …" if len(names) > _NAMED else ""
            there = f"there are {', '.join(names[:_NAMED])}{more}" if names else "the package has none"
            raise SetterFailedError(Reason.NO_MATCH, f"no {what} matches {pattern!r}: {there}")
    return {name for name in names if any(matches(pattern, name) for pattern in patterns)}
