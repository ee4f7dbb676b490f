"""UOJ's problems: problem.conf, and numbered data beside it."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

from deepoj_packages.foreign.draft import Draft, short_name_of
from deepoj_packages.foreign.loose_statements import add_loose_statements, title_of
from deepoj_packages.foreign.uoj_conf import PROBLEM, Conf
from deepoj_packages.foreign.uoj_programs import UojPrograms
from deepoj_packages.foreign.uoj_tests import UojTests
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import unsupported
from deepoj_packages.spec import FormatVersion, ProblemLimits, ProblemSpec
from deepoj_packages.tree import Tree

_DOWNLOADS = PurePosixPath("download")
_DEFAULT_SECONDS, _DEFAULT_MEMORY_MIB, _DEFAULT_OUTPUT_MIB = 1, 256, 64
# Limits of programs that here have those of every such program.
_UNUSED = ("token", "checker_", "validator_", "standard_", "interactor_", "compile_")


def is_uoj(directory: Path) -> bool:
    return (directory / PROBLEM).is_file()


def read_uoj(tree: Tree, into: Path, options: ReadingOptions) -> ProblemSpec:
    draft = Draft(into, FormatVersion.UOJ, options.limits, title_of(tree, options.told))
    conf = Conf(tree.text(PROBLEM, options.limits.yaml_bytes))
    if not conf.flag("use_builtin_judger"):
        raise unsupported(
            f"{PROBLEM} does not say use_builtin_judger on: a judger of the problem's own cannot be run here"
        )
    add_loose_statements(tree, draft, options.told)
    programs = UojPrograms(tree, draft, conf)
    programs.add_solution()
    groups = UojTests(tree, draft, conf).read()
    validator = programs.validator()
    time_ms = conf.milliseconds("time_limit") or _DEFAULT_SECONDS * 1000
    spec = draft.spec(
        short_name=short_name_of(draft.format, tree.name),
        limits=ProblemLimits(
            time_ms=time_ms,
            memory_mib=conf.whole("memory_limit") or _DEFAULT_MEMORY_MIB,
            output_mib=conf.whole("output_limit") or _DEFAULT_OUTPUT_MIB,
        ),
        groups=groups,
        validator=validator,
    )
    answers = conf.flag("submit_answer")
    included = programs.included()
    input_validators = programs.input_validators()
    for key in conf.unknown():
        if not key.startswith(_UNUSED):
            draft.warn(f"{PROBLEM}: the key {key[:40]!r} is not known and was not used")
    return replace(
        spec,
        answers_submitted=answers,
        included=included,
        input_validators=input_validators,
        attachments=tuple(
            draft.put(PurePosixPath("attachments") / file.relative_to(_DOWNLOADS), tree.path(file))
            for file in tree.below(_DOWNLOADS)
        ),
        warnings=tuple(draft.warnings),
    )
