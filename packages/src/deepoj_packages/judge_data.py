"""What a package means to the judge: the one translation, for the service that imports it and for setters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from deepoj_domain.kernel.digest import ContentHash, hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.score import Score
from deepoj_domain.question import case as domain_case
from deepoj_domain.question import submission_form as domain_form
from deepoj_domain.question import suite as domain_suite
from deepoj_domain.question.checker import (
    Checker,
    Communication,
    Convention,
    Grader,
    IcpcChecker,
    LineChecker,
    ProgramChecker,
    SourceFile,
)
from deepoj_domain.question.limits import MOST_DATA_BYTES, Limits
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import StopPolicy, Suite
from deepoj_languages.scripts import BUILD, RUN, SCRIPTS
from deepoj_languages.table import language_table, source_name_of_package
from deepoj_packages.languages import slugs_of
from deepoj_packages.refusal import invalid, unsupported
from deepoj_packages.spec import (
    SAMPLE,
    Bundle,
    Case,
    DefaultValidator,
    FileNames,
    Group,
    GroupScoring,
    IncludedFiles,
    LineValidator,
    OutputValidator,
    ProblemLimits,
    ProblemSpec,
    Program,
    StaticCase,
)

ContentOf = Callable[[PurePosixPath], ContentHash]
"""The hash of a file of the package, under which its content is or will be found."""
EMPTY = hash_of(b"")
"""Stands for a file of a case that is not there."""

_DEFAULT_MEMORY_MIB = 2048
_DEFAULT_OUTPUT_MIB = 8
_VALIDATION_SECONDS = 60
_KIB_OF_MIB = 1024
_SCORING = {
    GroupScoring.PASS_FAIL: domain_suite.GroupScoring.ALL,
    GroupScoring.MIN: domain_suite.GroupScoring.MIN,
    GroupScoring.SUM: domain_suite.GroupScoring.SUM,
    GroupScoring.MAX: domain_suite.GroupScoring.MAX,
    GroupScoring.GRADED: domain_suite.GroupScoring.GRADED,
}


def judged_limits(limits: ProblemLimits, time_ms: int) -> Limits:
    """`time_ms` is the package's, or what was derived from its example submissions."""
    return _limits(
        time_ms,
        limits.memory_mib or _DEFAULT_MEMORY_MIB,
        limits.output_mib or _DEFAULT_OUTPUT_MIB,
    )


def judged_suite(spec: ProblemSpec, content: ContentOf) -> Suite:
    _refuse_large_files(spec)
    shared = shared_arguments(spec)
    try:
        return Suite(
            groups=tuple(_group(group) for group in spec.groups),
            cases=tuple(_cases(spec, content, shared)),
            stop=StopPolicy.RUN_ALL if spec.runs_all else StopPolicy.FIRST_FAILURE,
            bundles=tuple(map(_bundle, spec.bundles)),
        )
    except InvalidValueError as error:
        raise invalid(f"the test data cannot be judged: {error}") from error


def judged_checker(spec: ProblemSpec, content: ContentOf, *languages: LanguageSlug) -> Checker:
    """`languages` are ours, one for each of `judging_programs`."""
    shared = shared_arguments(spec)
    try:
        match spec.validator:
            case DefaultValidator():
                return IcpcChecker.parse(shared)
            case LineValidator():
                return LineChecker()
            case OutputValidator():
                return _judged_programs(spec, spec.validator, content, languages, shared)
    except InvalidValueError as error:
        raise invalid(f"the output validator cannot be used: {error}") from error


def _judged_programs(
    spec: ProblemSpec,
    validator: OutputValidator,
    content: ContentOf,
    languages: Sequence[LanguageSlug],
    arguments: tuple[str, ...],
) -> ProgramChecker:
    validators = [validator, *(replace(validator, program=program, also=()) for program in validator.also)]
    after = [] if validator.checker is None else [validator.checker]
    checkers = [
        _program_checker(spec, each, content, language, () if each in after else arguments)
        for each, language in zip((*validators[:1], *after, *validators[1:]), languages, strict=True)
    ]
    first, *rest = checkers
    return replace(
        first,
        passes=validator.passes,
        checker=rest[0] if after else None,
        also=tuple(rest[1:] if after else rest),
    )


def judged_grader(spec: ProblemSpec, content: ContentOf, language: LanguageSlug | None) -> Grader | None:
    """`language` is ours for that of the grader, where there is one."""
    if spec.grader is None or language is None:
        return None
    _refuse_unknown(spec.grader, language)
    sources = tuple(SourceFile(name, content(file)) for name, file in source_names(spec.grader).items())
    try:
        return Grader(sources=sources, language=language, limits=_validation_limits(spec.limits))
    except InvalidValueError as error:
        raise invalid(f"the grader cannot be used: {error}") from error


def judged_source_checker(
    spec: ProblemSpec, content: ContentOf, language: LanguageSlug | None
) -> ProgramChecker | None:
    """`language` is ours for that of the static validator, where there is one."""
    if spec.static_validator is None or language is None:
        return None
    validator = OutputValidator(
        program=spec.static_validator, scores=spec.scoring, convention=Convention.SOURCE
    )
    try:
        return _program_checker(spec, validator, content, language, ())
    except InvalidValueError as error:
        raise invalid(f"the static validator cannot be used: {error}") from error


def judged_form(spec: ProblemSpec, content: ContentOf) -> SubmissionForm:
    names = spec.file_names or FileNames()
    try:
        return SubmissionForm(
            file_names=domain_form.FileNames(input=names.input, output=names.output),
            included=tuple(_included(each, content) for each in spec.included),
            answers=spec.answers_submitted,
        )
    except InvalidValueError as error:
        raise invalid(f"what goes with a submission cannot be used: {error}") from error


def _included(included: IncludedFiles, content: ContentOf) -> domain_form.IncludedFiles:
    slugs = slugs_of(included.language) if included.language else ()
    if included.language and not slugs:
        raise unsupported(
            f"files are included for {included.language[:40]!r}, a language that is not known here"
        )
    return domain_form.IncludedFiles(
        languages=frozenset(map(LanguageSlug, slugs)),
        files=tuple(SourceFile(name, content(file)) for name, file in included.files),
        main=included.main,
        source_name=included.source_name,
        before=included.before,
        after=included.after,
    )


def judged_languages(spec: ProblemSpec) -> frozenset[LanguageSlug] | None:
    """Ours for those the package allows; None allows all."""
    if spec.languages is None:
        return None
    return frozenset(LanguageSlug(slug) for code in spec.languages for slug in slugs_of(code))


def judging_programs(spec: ProblemSpec) -> tuple[Program, ...]:
    """The output validator, the checker after it, and further output validators."""
    validator = spec.validator
    if not isinstance(validator, OutputValidator):
        return ()
    after = () if validator.checker is None else (validator.checker.program,)
    return (validator.program, *after, *validator.also)


def shared_arguments(spec: ProblemSpec) -> tuple[str, ...]:
    """What the checker is told unless a case says otherwise: most packages tell it the same everywhere."""
    return spec.cases[-1].output_validator_args


def source_names(program: Program) -> Mapping[str, PurePosixPath]:
    """The files of a program by the names they are compiled under.

    A program begins in its main file, which gets the name its language looks for. Where another file has that
    name, `entry_name` says where the program begins.
    """
    names = {_inside(program, file): file for file in program.files}
    main = _start_name(program)
    if main is None or main in names:
        return names
    return {(main if file == program.main else name): file for name, file in names.items()}


def _start_name(program: Program) -> str | None:
    if program.language == SCRIPTS.slug and program.main.name != BUILD:
        return RUN
    return source_name_of_package(program.language)


def entry_name(program: Program) -> str:
    return next(name for name, file in source_names(program).items() if file == program.main)


def _inside(program: Program, file: PurePosixPath) -> str:
    return file.name if file == program.at else str(file.relative_to(program.at))


def _refuse_large_files(spec: ProblemSpec) -> None:
    """A box has all files of a case at once."""
    for case in spec.cases:
        if sum(spec.path(file).stat().st_size for _, file in case.files) > MOST_DATA_BYTES:
            raise invalid(f"the files of {case.name} have more than {MOST_DATA_BYTES >> 20} MiB together")


def _program_checker(
    spec: ProblemSpec,
    validator: OutputValidator,
    content: ContentOf,
    language: LanguageSlug,
    arguments: tuple[str, ...],
) -> ProgramChecker:
    _refuse_unknown(validator.program, language)
    sources = source_names(validator.program).items()
    return ProgramChecker(
        sources=tuple(SourceFile(name, content(file)) for name, file in sources),
        language=language,
        convention=Convention(validator.convention),
        interactive=validator.interactive,
        scores=validator.scores,
        arguments=arguments,
        limits=_validation_limits(spec.limits),
        communication=_communication(validator),
    )


def _refuse_unknown(program: Program, language: LanguageSlug) -> None:
    """Who imports a package must not find out from its first submission."""
    if language not in {SCRIPTS.slug, *(row.slug for row in language_table())}:
        raise unsupported(f"{program.at} is in a language that is not run here, {language}")


def _communication(validator: OutputValidator) -> Communication | None:
    how = validator.communication
    return None if how is None else Communication(copies=how.copies, by_name=how.by_name)


def _validation_limits(limits: ProblemLimits) -> Limits | None:
    if not (limits.validation_time_s or limits.validation_memory_mib or limits.validation_output_mib):
        return None
    return _limits(
        (limits.validation_time_s or _VALIDATION_SECONDS) * 1000,
        limits.validation_memory_mib or _DEFAULT_MEMORY_MIB,
        limits.validation_output_mib or _DEFAULT_OUTPUT_MIB,
    )


def _limits(time_ms: int, memory_mib: int, output_mib: int) -> Limits:
    try:
        return Limits(
            cpu_ms=time_ms,
            memory_kib=memory_mib * _KIB_OF_MIB,
            output_kib=output_mib * _KIB_OF_MIB,
        )
    except InvalidValueError as error:
        raise invalid(f"the limits cannot be judged: {error}") from error


def _group(group: Group) -> domain_suite.Group:
    on_reject = domain_suite.OnReject.BREAK if group.breaks_on_reject else domain_suite.OnReject.CONTINUE
    return domain_suite.Group(
        name=group.name,
        points=Score.points(group.points),
        scoring=_SCORING[group.scoring],
        depends_on=group.depends_on,
        on_reject=on_reject,
        unbounded=group.unbounded,
        lowered_by_dependencies=group.lowered_by_dependencies,
        grader_arguments=group.grader_args,
    )


def _bundle(bundle: Bundle) -> domain_suite.Bundle:
    return domain_suite.Bundle(
        name=bundle.name,
        parts=bundle.parts,
        scoring=_SCORING[bundle.scoring],
        points=Score.points(bundle.points),
        unbounded=bundle.unbounded,
        breaks_on_reject=bundle.breaks_on_reject,
        grader_arguments=bundle.grader_args,
    )


def _cases(spec: ProblemSpec, content: ContentOf, shared: tuple[str, ...]) -> list[domain_case.Case]:
    cases = [_case(case, content, shared) for case in spec.cases]
    if not spec.static_cases:
        return cases
    place = {group.name: number for number, group in enumerate(spec.groups)}
    cases = [*map(_static_case, spec.static_cases), *cases]
    return sorted(cases, key=lambda case: place.get(case.group, len(place)))


def _static_case(case: StaticCase) -> domain_case.Case:
    return domain_case.Case(
        name=case.name,
        group=case.group,
        input=EMPTY,
        answer=EMPTY,
        points=Score.points(case.points),
        is_sample=case.group == SAMPLE,
        checker_arguments=case.arguments or None,
        of_source=True,
    )


def _case(case: Case, content: ContentOf, shared: tuple[str, ...]) -> domain_case.Case:
    own = case.output_validator_args
    return domain_case.Case(
        name=case.name,
        group=case.group,
        input=content(case.input),
        answer=content(case.answer) if case.answer else EMPTY,
        points=Score.points(case.points),
        is_sample=case.is_sample,
        reject_points=Score.points(case.reject_points),
        checker_arguments=None if own == shared else own,
        time_ms=case.time_ms or 0,
        memory_bytes=(case.memory_mib or 0) * _KIB_OF_MIB * _KIB_OF_MIB,
        arguments=case.arguments,
        files=tuple(SourceFile(name, content(file)) for name, file in case.files),
    )
