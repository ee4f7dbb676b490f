"""Write a problem as a package of version 2025-09 into a directory."""

import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from deepoj_packages.exporting.data import data_entries
from deepoj_packages.exporting.entries import Entry, program_entries
from deepoj_packages.exporting.problem import problem_entry
from deepoj_packages.exporting.submissions import submission_entries
from deepoj_packages.refusal import unsupported
from deepoj_packages.spec import (
    DefaultValidator,
    LineValidator,
    OutputValidator,
    ProblemSpec,
    Statement,
    StatementFormat,
    Validator,
)

_OUTPUT_VALIDATOR = PurePosixPath("output_validator")
_STATEMENTS = frozenset({StatementFormat.MARKDOWN, StatementFormat.TEX, StatementFormat.PDF})


def export_directory(spec: ProblemSpec, directory: Path) -> None:
    """`directory` must not exist; it is there completely or not at all."""
    entries = list(package_entries(spec))
    directory.mkdir(parents=True)
    try:
        for entry in entries:
            _write(directory, entry)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def package_entries(spec: ProblemSpec) -> Iterator[Entry]:
    """Each file once, in a fixed order. Raise PackageRefusedError for what 2025-09 cannot say."""
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
    if isinstance(spec.validator, OutputValidator):
        program = spec.validator.program
        # A program that is its whole directory stays so.
        inside = program.at.parts[1:]
        yield from program_entries(spec, program, _OUTPUT_VALIDATOR.joinpath(*inside))
    yield from submission_entries(spec)


def _check_validator(validator: Validator) -> None:
    match validator:
        case LineValidator():
            raise unsupported("version 2025-09 of the format cannot compare line for line")
        case OutputValidator(testlib=True):
            raise unsupported("version 2025-09 of the format has no checkers that follow testlib")
        case DefaultValidator() | OutputValidator():
            return


def _statement_path(statement: Statement) -> PurePosixPath:
    if statement.format not in _STATEMENTS:
        raise unsupported(f"version 2025-09 of the format has no {statement.format} statements")
    return PurePosixPath("statement", f"problem.{statement.language}.{statement.format}")


def _write(directory: Path, entry: Entry) -> None:
    target = directory / entry.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(entry.content, bytes):
        target.write_bytes(entry.content)
    else:
        shutil.copyfile(entry.content, target)
