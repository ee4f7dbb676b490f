"""From a legacy package to a ProblemSpec."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_packages.languages import is_header, language_of
from deepoj_packages.legacy import problem
from deepoj_packages.legacy.data import TestData, read_data
from deepoj_packages.legacy.submissions import read_submissions
from deepoj_packages.refusal import invalid
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
    GroupScoring,
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
_GRADERS = PurePosixPath("graders")
_FOR_AUTHORS = ("generators", "solution", "solutions", "input_visualizers", "output_visualizers")


def read_legacy(reading: Reading, section: Section, short_name: str, version: FormatVersion) -> ProblemSpec:
    _look_at_directories(reading)
    scoring = problem.read_scoring(section)
    validation = problem.read_validation(section, reading.options.dialect, scoring=scoring)
    ini = problem.read_ini(reading)
    texts = read_statements(reading, PurePosixPath("problem_statement"))
    examples = Examples(reading, lambda _: ExampleArgs(validation.flags, InputArgs()))
    data = read_data(reading, validation, scoring=scoring)
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
        bundles=data.bundles,
        grader=_grader(reading, data),
        cases=data.cases,
        runs_all=data.runs_all,
        validator=_validator(reading, validation),
        included=read_included(reading),
        input_validators=_data_validators(reading, _INPUT_VALIDATORS),
        answer_validators=_data_validators(reading, _ANSWER_VALIDATORS),
        output_examples=examples.outputs(),
        invalid_inputs=examples.invalid_inputs(),
        invalid_answers=examples.invalid_answers(),
    )
    spec = replace(spec, submissions=read_submissions(reading, spec.full_score))
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


def _grader(reading: Reading, data: TestData) -> Program | None:
    programs = [at for at in reading.tree.entries(_GRADERS) if not at.name.startswith((".", "README"))]
    scorings = {*(group.scoring for group in data.groups), *(bundle.scoring for bundle in data.bundles)}
    if GroupScoring.GRADED not in scorings:
        if programs:
            reading.warn(f"{_GRADERS}/ is not used, because no testdata.yaml says grading: custom")
        return None
    if len(programs) != 1:
        raise invalid(f"grading: custom needs one program in {_GRADERS}/, which holds {len(programs)}")
    return read_program(reading, programs[0])


def _validator(reading: Reading, validation: problem.Validation) -> Validator:
    directory = reading.tree.first(_OUTPUT_VALIDATORS, _OUTPUT_VALIDATOR)
    programs = [at for at in reading.tree.entries(directory) if not at.name.startswith((".", "README"))]
    if not validation.custom:
        if programs:
            reading.warn(f"{directory}/ is not used, because problem.yaml says validation: default")
        return DefaultValidator()
    if not programs:
        raise invalid("problem.yaml says validation: custom, and output_validators/ holds no program")
    first, *others = [read_program(reading, at) for at in _validators_in(reading, directory, programs)]
    if others and (validation.interactive or validation.passes > 1):
        raise invalid(
            f"{directory}/ holds several programs, where one must talk with submissions or repeat them"
        )
    return OutputValidator(
        program=first,
        also=tuple(others),
        interactive=validation.interactive,
        scores=validation.scores,
        passes=validation.passes,
    )


def _validators_in(
    reading: Reading, directory: PurePosixPath, programs: Sequence[PurePosixPath]
) -> Sequence[PurePosixPath]:
    """Loose files in one language are one program, as is common; all else is a program each."""
    loose = [at for at in programs if reading.tree.has(at)]
    sources = {language_of(at) for at in loose if not is_header(at)} - {None}
    if script_in(directory, programs) or (len(loose) == len(programs) > 1 and len(sources) == 1):
        return [directory]
    return [at for at in programs if at not in loose or language_of(at)] or [directory]
