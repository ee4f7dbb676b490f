"""A problem as the files of a package of version 2025-09."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from deepoj_domain.question.checker import Convention
from deepoj_languages.table import source_name_of_package
from deepoj_packages.exporting.data import data_entries
from deepoj_packages.exporting.entries import Entry, program_entries
from deepoj_packages.exporting.problem import problem_entry
from deepoj_packages.exporting.submissions import submission_entries
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.included import DEFAULT, INCLUDE
from deepoj_packages.shared.own_validators import LINES, line_validator
from deepoj_packages.spec import (
    DefaultValidator,
    IncludedFiles,
    LineValidator,
    OutputValidator,
    ProblemSpec,
    Statement,
    StatementFormat,
    Validator,
)

_OUTPUT_VALIDATOR = PurePosixPath("output_validator")
_STATIC_VALIDATOR = PurePosixPath("static_validator")
_STATEMENTS = frozenset({StatementFormat.MARKDOWN, StatementFormat.TEX, StatementFormat.PDF})


def modern_entries(spec: ProblemSpec) -> Iterator[Entry]:
    """Each file once, in a fixed order. Raise PackageRefusedError for what 2025-09 cannot say."""
    _check_expressible(spec)
    _check_validator(spec.validator)
    yield problem_entry(spec)
    for statement in spec.statements:
        yield Entry(_statement_path(statement), spec.path(statement.file))
    for image in spec.images:
        yield Entry(PurePosixPath("statement", *image.parts[1:]), spec.path(image))
    for attachment in spec.attachments:
        yield Entry(attachment, spec.path(attachment))
    yield from data_entries(spec)
    for directory, programs in (
        ("input_validators", spec.input_validators),
        ("answer_validators", spec.answer_validators),
    ):
        for program in programs:
            yield from program_entries(spec, program, PurePosixPath(directory, program.name))
    yield from _judging_programs(spec)
    for included in spec.included:
        place = INCLUDE / (included.language or DEFAULT)
        for name, file in included.files:
            yield Entry(place / name, spec.path(file))
    yield from submission_entries(spec)


def _judging_programs(spec: ProblemSpec) -> Iterator[Entry]:
    if isinstance(spec.validator, LineValidator):
        yield Entry(_OUTPUT_VALIDATOR / LINES, line_validator())
    validator = spec.validator.program if isinstance(spec.validator, OutputValidator) else None
    for top, own in ((_OUTPUT_VALIDATOR, validator), (_STATIC_VALIDATOR, spec.static_validator)):
        if own is not None:
            # A program that is its whole directory stays so.
            yield from program_entries(spec, own, top.joinpath(*own.at.parts[1:]))


def _check_expressible(spec: ProblemSpec) -> None:
    needed = {
        "limits of one case": any(case.time_ms or case.memory_mib for case in spec.cases),
        "files by name as input and output": spec.file_names is not None,
        "groups that are lowered by others": any(group.lowered_by_dependencies for group in spec.groups),
        "groups that earn one score together, or a program that grades": bool(spec.bundles or spec.grader),
        "several output validators": isinstance(spec.validator, OutputValidator)
        and bool(spec.validator.also),
        "graders of other names than its own": not all(map(_is_named_by_format, spec.included)),
        "code around submissions": any(each.before or each.after for each in spec.included),
    }
    for what, is_needed in needed.items():
        if is_needed:
            raise unsupported(f"version 2025-09 of the format has no {what}")


def _is_named_by_format(included: IncludedFiles) -> bool:
    """Whether the names alone say where the program begins."""
    main = source_name_of_package(included.language)
    found = main if any(name == main for name, _ in included.files) else ""
    return not included.source_name and included.main == found


def _check_validator(validator: Validator) -> None:
    match validator:
        case OutputValidator() if validator.communication is not None:
            raise unsupported("version 2025-09 of the format has no managers that talk with submissions")
        case OutputValidator() if validator.convention is not Convention.ICPC:
            followed = validator.convention
            raise unsupported(f"version 2025-09 of the format has no checkers that follow {followed}")
        case DefaultValidator() | LineValidator() | OutputValidator():
            return


def _statement_path(statement: Statement) -> PurePosixPath:
    if statement.format not in _STATEMENTS:
        raise unsupported(f"version 2025-09 of the format has no {statement.format} statements")
    return PurePosixPath("statement", f"problem.{statement.language}.{statement.format}")
