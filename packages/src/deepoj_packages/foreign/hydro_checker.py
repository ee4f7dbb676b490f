"""How a Hydro problem compares answers, where a checker of ours or a program of the package does the same."""

from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_packages.foreign.draft import Draft
from deepoj_packages.foreign.hydro_tests import TESTS
from deepoj_packages.languages import is_header
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import DefaultValidator, LineValidator, OutputValidator, Validator
from deepoj_packages.tree import Tree
from deepoj_packages.yamls import Section

_PLACE = PurePosixPath("output_validator")
_TESTLIB = "testlib.h"
_PROGRAMS = ("testlib", "kattis")
# The standard checkers of testlib that are the default validator with these flags.
_STANDARD = {
    **dict.fromkeys(("wcmp", "ncmp", "hcmp", "icmp"), ("case_sensitive",)),
    **dict.fromkeys(("yesno", "nyesno"), ()),
    **{
        name: ("case_sensitive", "float_tolerance", f"1e-{digits}")
        for name, digits in (("rcmp4", 4), ("rcmp6", 6), ("rcmp9", 9), ("dcmp", 6))
    },
}


def hydro_validator(tree: Tree, draft: Draft, config: Section) -> Validator:
    kind, checker = config.text("checker_type", "default"), _name(config)
    if kind == "default":
        return LineValidator()
    if kind not in _PROGRAMS:
        raise unsupported(f"{config.where}: checkers of type {kind[:40]} cannot be used here")
    standard = checker.removesuffix(".cc").removesuffix(".cpp")
    if kind == "testlib" and standard in _STANDARD and not tree.has(TESTS / checker):
        flags = _STANDARD[standard]
        draft.cases[:] = [replace(case, output_validator_args=flags) for case in draft.cases]
        return DefaultValidator()
    return _program(tree, draft, config, checker, testlib=kind == "testlib")


def _name(config: Section) -> str:
    return config.section("checker").text("file") if config.is_map("checker") else config.text("checker")


def _program(tree: Tree, draft: Draft, config: Section, checker: str, *, testlib: bool) -> Validator:
    source = TESTS / checker
    if not checker or not tree.has(source):
        raise unsupported(f"{config.where}: the checker {checker[:80]!r} is not in {TESTS}/")
    if testlib and not tree.has(TESTS / _TESTLIB):
        raise unsupported(
            f"{source} needs testlib.h, and the package does not bring it: put it into {TESTS}/"
        )
    headers = [file for file in tree.entries(TESTS) if is_header(file) and tree.has(file)]
    files = tuple(draft.take(_PLACE / file.name, tree.path(file)) for file in (source, *headers))
    return OutputValidator(program=program_of(_PLACE, files), testlib=testlib)
