"""From a package of version 2025-09 to a ProblemSpec."""

from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_packages.modern import problem
from deepoj_packages.modern.data import SETTINGS, read_data
from deepoj_packages.modern.draft import read_draft_data
from deepoj_packages.modern.settings import case_settings
from deepoj_packages.modern.submissions import read_submissions
from deepoj_packages.refusal import invalid
from deepoj_packages.shared.cases import beside, read_samples
from deepoj_packages.shared.examples import ExampleArgs, Examples
from deepoj_packages.shared.expectations import SUBMISSIONS
from deepoj_packages.shared.included import read_included
from deepoj_packages.shared.programs import read_data_validators, read_program, script_in
from deepoj_packages.shared.reading_context import Reading
from deepoj_packages.shared.statements import read_statements
from deepoj_packages.shared.whole_package import check_flags, warn_about_validators
from deepoj_packages.spec import (
    DefaultValidator,
    FormatVersion,
    OutputValidator,
    ProblemSpec,
    Program,
    StaticCase,
    Validator,
)
from deepoj_packages.yamls import Section

_STATEMENT = PurePosixPath("statement")
_OUTPUT_VALIDATOR = PurePosixPath("output_validator")
# What drafts of this version call two directories.
_OUTPUT_VALIDATORS = PurePosixPath("output_validators")
_PROBLEM_STATEMENT = PurePosixPath("problem_statement")
_STATIC_VALIDATOR = PurePosixPath("static_validator")
_FOR_AUTHORS = ("generators", "solution", "input_visualizer", "output_visualizer")


def read_modern(reading: Reading, section: Section, short_name: str, *, draft: bool = False) -> ProblemSpec:
    _look_at_directories(reading)
    kind = problem.read_type(section)
    problem.look_at_the_rest(section)
    texts = read_statements(reading, reading.tree.first(_STATEMENT, _PROBLEM_STATEMENT))
    data = (
        read_draft_data(reading, kind)
        if draft
        else read_data(reading, scoring=kind.scoring, interactive=kind.interactive)
    )
    spec = ProblemSpec(
        root=reading.tree.root,
        short_name=short_name,
        format=FormatVersion.V2025_09,
        names=problem.read_names(reading, section, texts.statements),
        scoring=kind.scoring,
        metadata=problem.read_metadata(reading, section),
        limits=problem.read_limits(reading, section),
        languages=problem.read_languages(section),
        statements=texts.statements,
        images=texts.images,
        attachments=reading.tree.use_below(PurePosixPath("attachments")),
        samples=read_samples(reading, interactive=kind.interactive),
        groups=data.groups,
        cases=data.cases,
        static_cases=data.static_cases,
        static_validator=_static_validator(reading, kind, data.static_cases),
        validator=_validator(reading, kind),
        included=read_included(reading),
        answers_submitted=kind.answers,
    )
    spec = with_setters_files(reading, spec)
    reading.warn_unknown(section)
    if kind.answers and reading.tree.use_below(SUBMISSIONS):
        reading.warn("submissions/ holds answers, which are not run: only programs are")
    if not spec.metadata.uuid:
        reading.warn("problem.yaml has no uuid, and version 2025-09 wants one")
    check_flags(spec)
    warn_about_validators(reading, spec)
    return spec


def with_setters_files(reading: Reading, spec: ProblemSpec) -> ProblemSpec:
    """Add what only setters use: validators of the data, submissions, and examples for validators."""
    examples = Examples(reading, lambda stem: _example_args(reading, stem))
    return replace(
        spec,
        input_validators=read_data_validators(reading, PurePosixPath("input_validators")),
        answer_validators=read_data_validators(reading, PurePosixPath("answer_validators")),
        submissions=() if spec.answers_submitted else read_submissions(reading),
        output_examples=examples.outputs(),
        invalid_inputs=examples.invalid_inputs(),
        invalid_answers=examples.invalid_answers(),
    )


def _example_args(reading: Reading, stem: PurePosixPath) -> ExampleArgs:
    layers = (reading.yaml(beside(stem, ".yaml")), reading.yaml(stem.parent / SETTINGS))
    settings = case_settings(layers, sample=False)
    return ExampleArgs(settings.output_validator_args, settings.input_validator_args)


def _look_at_directories(reading: Reading) -> None:
    for name in _FOR_AUTHORS:
        reading.tree.use_below(PurePosixPath(name))


def _validator(reading: Reading, kind: problem.ProblemType) -> Validator:
    program = _program_of(reading, reading.tree.first(_OUTPUT_VALIDATOR, _OUTPUT_VALIDATORS))
    if program is None:
        if kind.interactive or kind.passes > 1:
            what = "an interactive" if kind.interactive else "a multi-pass"
            raise invalid(f"{what} problem needs a program in output_validator/")
        return DefaultValidator()
    return OutputValidator(
        program=program, interactive=kind.interactive, scores=kind.scoring, passes=kind.passes
    )


def _static_validator(
    reading: Reading, kind: problem.ProblemType, asked: tuple[StaticCase, ...]
) -> Program | None:
    program = _program_of(reading, _STATIC_VALIDATOR)
    if program is not None and kind.answers:
        raise invalid("a problem of type submit-answer has no sources, so it cannot have a static_validator/")
    if program is None and asked:
        raise invalid(f"data/{asked[0].name} needs a program in static_validator/")
    if program is not None and not asked:
        reading.warn("static_validator/ is never asked: no test_group.yaml has a static_validation_score")
        return None
    return program


def _program_of(reading: Reading, directory: PurePosixPath) -> Program | None:
    """One program: either a file or directory in here, or this directory itself."""
    programs = [at for at in reading.tree.entries(directory) if not at.name.startswith((".", "README"))]
    if not programs:
        return None
    whole = len(programs) > 1 or script_in(directory, programs) is not None
    return read_program(reading, directory if whole else programs[0])
