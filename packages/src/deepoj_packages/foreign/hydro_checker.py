"""How a Hydro problem compares answers, where a checker of ours or a program of the package does the same."""

from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_packages.foreign import testlib
from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.hydro_tests import TESTS
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import (
    DefaultValidator,
    LineValidator,
    OutputValidator,
    Validator,
)
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

_PLACE = PurePosixPath("output_validator")
_PROGRAMS = {
    "testlib": Convention.TESTLIB,
    "kattis": Convention.ICPC,
    "hustoj": Convention.HUSTOJ,
    "qduoj": Convention.QDUOJ,
    "lemon": Convention.LEMON,
    "syzoj": Convention.SYZOJ,
}
_SCORING = frozenset({Convention.LEMON, Convention.SYZOJ})


def hydro_validator(tree: Tree, draft: Draft, config: Section) -> Validator:
    kind, checker = config.text("checker_type", "default"), _name(config)
    if kind == "default":
        return LineValidator()
    if kind not in _PROGRAMS:
        raise unsupported(f"{config.where}: checkers of type {kind[:40]} cannot be used here")
    standard = checker.removesuffix(".cc").removesuffix(".cpp")
    if kind == "testlib" and standard in testlib.STANDARD_CHECKERS and not tree.has(TESTS / checker):
        flags = testlib.STANDARD_CHECKERS[standard]
        draft.cases[:] = [replace(case, output_validator_args=flags) for case in draft.cases]
        return DefaultValidator()
    return _program(tree, draft, config, checker, _PROGRAMS[kind])


def _name(config: Section) -> str:
    return config.section("checker").text("file") if config.is_map("checker") else config.text("checker")


def _program(tree: Tree, draft: Draft, config: Section, checker: str, convention: Convention) -> Validator:
    source = TESTS / checker
    if not checker or not tree.has(source):
        raise unsupported(f"{config.where}: the checker {checker[:80]!r} is not in {TESTS}/")
    headers = testlib.headers(tree, TESTS)
    brought = any(file.name == testlib.HEADER for file in headers)
    if convention is Convention.TESTLIB and not brought:
        raise unsupported(
            f"{source} needs testlib.h, and the package does not bring it: put it into {TESTS}/, or at the "
            "top of the archive"
        )
    files = tuple(draft.put(_PLACE / file.name, file) for file in (tree.path(source), *headers))
    return OutputValidator(
        program=program_of(_PLACE, files), convention=convention, scores=convention in _SCORING
    )
