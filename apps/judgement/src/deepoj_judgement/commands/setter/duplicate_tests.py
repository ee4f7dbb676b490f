"""Tests that are the same as others. Pure: from the names of contents to sentences."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from deepoj_domain.kernel.digest import ContentHash
from deepoj_judgement.commands.setter.events import Finding, Note, Severity
from deepoj_packages.spec import Case, OutputValidator, ProblemSpec

_ABOUT = "tests"
_SHOWN = 10
_NAMED = 4


def duplicate_tests(
    package: ProblemSpec, content: Callable[[PurePosixPath], ContentHash]
) -> list[Finding | Note]:
    by_input: dict[object, list[Case]] = {}
    for case in package.cases:
        files = tuple((name, content(file)) for name, file in case.files)
        key = (content(case.input), case.arguments, files, case.output_validator_args)
        by_input.setdefault(key, []).append(case)
    found: list[Finding | Note] = []
    for cases in by_input.values():
        if len(cases) > 1:
            found += _about(package, cases, content)
    if len(found) > _SHOWN:
        rest = Finding(Severity.WARNING, _ABOUT, f"{len(found) - _SHOWN} more inputs are there several times")
        return [*found[:_SHOWN], rest]
    return found


def _about(
    package: ProblemSpec, cases: Sequence[Case], content: Callable[[PurePosixPath], ContentHash]
) -> Iterator[Finding | Note]:
    answers = {content(case.answer) for case in cases if case.answer}
    if len(answers) > 1 and not isinstance(package.validator, OutputValidator):
        # The same output would have to equal both.
        yield Finding(Severity.ERROR, _ABOUT, f"{_names(cases)} have the same input and different answers")
    elif len({case.group for case in cases}) < len(cases):
        yield Finding(Severity.WARNING, _ABOUT, f"{_names(cases)} have the same input")
    else:
        yield Note(_ABOUT, f"{_names(cases)} of different groups have the same input")


def _names(cases: Sequence[Case]) -> str:
    named = [case.name for case in cases[:_NAMED]]
    if len(cases) > _NAMED:
        return f"{', '.join(named)} and {len(cases) - _NAMED} more"
    return f"{', '.join(named[:-1])} and {named[-1]}"
