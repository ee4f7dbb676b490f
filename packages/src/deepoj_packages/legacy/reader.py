"""From a legacy package to a ProblemSpec."""

from decimal import Decimal
from pathlib import PurePosixPath

from deepoj_packages.legacy import problem
from deepoj_packages.legacy.data import read_data
from deepoj_packages.legacy.submissions import read_submissions
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.shared.cases import read_samples
from deepoj_packages.shared.examples import ExampleArgs, Examples
from deepoj_packages.shared.included import read_included
from deepoj_packages.shared.programs import read_data_validators, read_program, script_in
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.shared.statements import read_statements
from deepoj_packages.shared.whole_package import check_flags, warn_about_validators
from deepoj_packages.spec import (
    DefaultValidator,
    FormatVersion,
    InputArgs,
    OutputValidator,
    ProblemSpec,
    Program,
    Validator,
)
from deepoj_packages.yamls import Section

_OUTPUT_VALIDATORS = PurePosixPath("output_validators")
# DOMjudge takes the name of 2025-09 too.
_OUTPUT_VALIDATOR = PurePosixPath("output_validator")
_INPUT_VALIDATORS = ("input_validators", "input_format_validators")
_ANSWER_VALIDATORS = ("answer_validators",)
_FOR_AUTHORS = ("generators", "solution", "solutions", "input_visualizers", "output_visualizers")


def read_legacy(reading: Reading, section: Section, short_name: str, version: FormatVersion) -> ProblemSpec:
    _look_at_directories(reading)
    scoring = problem.read_scoring(section)
    validation = problem.read_validation(section, reading.options.dialect, scoring=scoring)
    ini = problem.read_ini(reading)
    texts = read_statements(reading, PurePosixPath("problem_statement"))
    examples = Examples(reading, lambda _: ExampleArgs(validation.flags, InputArgs()))
    data = read_data(reading, validation, scoring=scoring)
    full_score = sum((group.points for group in data.groups), Decimal(0))
    spec = ProblemSpec(
        root=reading.tree.root,
        short_name=short_name,
        format=version,
        names=problem.read_names(reading, section, ini, texts.statements, short_name),
        scoring=scoring,
        metadata=problem.read_metadata(reading, section),
        limits=problem.read_limits(reading, section, ini),
        statements=texts.statements,
        images=texts.images,
        attachments=reading.tree.use_below(PurePosixPath("attachments")),
        samples=read_samples(reading, interactive=validation.interactive),
        groups=data.groups,
        cases=data.cases,
        runs_all=data.runs_all,
        validator=_validator(reading, validation),
        included=read_included(reading),
        input_validators=_data_validators(reading, _INPUT_VALIDATORS),
        answer_validators=_data_validators(reading, _ANSWER_VALIDATORS),
        submissions=read_submissions(reading, full_score),
        output_examples=examples.outputs(),
        invalid_inputs=examples.invalid_inputs(),
        invalid_answers=examples.invalid_answers(),
    )
    reading.warn_unknown(section)
    check_flags(spec)
    warn_about_validators(reading, spec)
    return spec


def _look_at_directories(reading: Reading) -> None:
    for name in _FOR_AUTHORS:
        reading.tree.use_below(PurePosixPath(name))


def _data_validators(reading: Reading, directories: tuple[str, ...]) -> tuple[Program, ...]:
    return tuple(
        program
        for directory in directories
        for program in read_data_validators(reading, PurePosixPath(directory))
    )


def _validator(reading: Reading, validation: problem.Validation) -> Validator:
    directory = reading.tree.first(_OUTPUT_VALIDATORS, _OUTPUT_VALIDATOR)
    programs = [at for at in reading.tree.entries(directory) if not at.name.startswith((".", "README"))]
    if not validation.custom:
        if programs:
            reading.warn(f"{directory}/ is not used, because problem.yaml says validation: default")
        return DefaultValidator()
    if not programs:
        raise invalid("problem.yaml says validation: custom, and output_validators/ holds no program")
    # Loose files of one program are common; several programs are not the same thing.
    loose = [at for at in programs if reading.tree.has(at)]
    brings_scripts = script_in(directory, programs) is not None
    if len(programs) > 1 and len(loose) != len(programs) and not brings_scripts:
        raise unsupported(
            "several output validators cannot be judged here: keep one of them, or put them into a directory "
            "of output_validators/ with a script build that compiles them and a script run that asks each"
        )
    at = programs[0] if len(programs) == 1 and not brings_scripts else directory
    program = read_program(reading, at)
    return OutputValidator(
        program=program,
        interactive=validation.interactive,
        scores=validation.scores,
        passes=validation.passes,
    )
