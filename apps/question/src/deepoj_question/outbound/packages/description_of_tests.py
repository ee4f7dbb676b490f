"""Cases, groups and checker as a package says them."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question import case as domain
from deepoj_domain.question.checker import Checker, LineChecker, ProgramChecker, as_icpc
from deepoj_domain.question.revision import Judging
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import GroupScoring, OnReject, Suite
from deepoj_languages.table import language_table
from deepoj_packages.languages import slugs_of
from deepoj_packages.refusal import unsupported
from deepoj_packages.shared.programs import program_of
from deepoj_packages.spec import (
    SAMPLE,
    SECRET,
    Case,
    Communication,
    DefaultValidator,
    FileNames,
    Group,
    IncludedFiles,
    LineValidator,
    OutputValidator,
    Program,
    StaticCase,
    Validator,
)
from deepoj_packages.spec import GroupScoring as PackageScoring

VALIDATOR: Final = PurePosixPath("output_validator")
STATIC_VALIDATOR: Final = PurePosixPath("static_validator")
_DATA: Final = PurePosixPath("data")
_INCLUDED: Final = PurePosixPath("include")
_MIB: Final = 1024 * 1024
_SCORING_OF: Final = {
    GroupScoring.ALL: PackageScoring.PASS_FAIL,
    GroupScoring.MIN: PackageScoring.MIN,
    GroupScoring.SUM: PackageScoring.SUM,
    GroupScoring.MAX: PackageScoring.MAX,
}


def is_pass_fail(judging: Judging) -> bool:
    """Whether the points say no more than accepted or not."""
    suite, checker = judging.suite, judging.checker
    worth = [group for group in suite.groups if group.points.micros or group.unbounded]
    scores = isinstance(checker, ProgramChecker) and checker.scores
    return (
        not scores
        and len(worth) == 1
        and worth[0].scoring in {GroupScoring.ALL, GroupScoring.MIN}
        and not worth[0].unbounded
        and all(case.is_sample or case.group == worth[0].name for case in suite.cases)
    )


def groups_of(suite: Suite) -> tuple[Group, ...]:
    return tuple(
        Group(
            name=_group_name(group.name),
            points=group.points.as_decimal(),
            scoring=_SCORING_OF[group.scoring],
            depends_on=tuple(map(_group_name, group.depends_on)),
            breaks_on_reject=group.on_reject is OnReject.BREAK,
            unbounded=group.unbounded,
            lowered_by_dependencies=group.lowered_by_dependencies,
        )
        for group in suite.groups
    )


def cases_of(judging: Judging) -> tuple[Case, ...]:
    shared, whole = arguments_of(judging.checker), is_pass_fail(judging)
    return tuple(
        Case(
            name=_case_name(case, whole=whole),
            group=_group_name(case.group),
            input=object_path(case.input),
            answer=object_path(case.answer),
            points=case.points.as_decimal(),
            reject_points=case.reject_points.as_decimal(),
            time_ms=case.time_ms or None,
            memory_mib=-(-case.memory_bytes // _MIB) or None,
            is_sample=case.is_sample,
            arguments=case.arguments,
            files=tuple((file.name, object_path(file.content)) for file in case.files),
            output_validator_args=shared if case.checker_arguments is None else case.checker_arguments,
            full_feedback=case.is_sample,
        )
        for case in judging.suite.cases
        if not case.of_source
    )


def static_cases_of(judging: Judging) -> tuple[StaticCase, ...]:
    checker, whole = judging.source_checker, is_pass_fail(judging)
    usual = checker.arguments if checker else ()
    cases = tuple(
        StaticCase(
            name=_case_name(case, whole=whole),
            group=_group_name(case.group),
            points=case.points.as_decimal(),
            arguments=usual if case.checker_arguments is None else case.checker_arguments,
        )
        for case in judging.suite.cases
        if case.of_source
    )
    if len({PurePosixPath(case.name).parent for case in cases}) < len(cases):
        raise unsupported("no format that is written can say that a group has two cases about the source")
    return cases


def static_validator_of(judging: Judging) -> Program | None:
    checker = judging.source_checker
    return None if checker is None else _program(checker, STATIC_VALIDATOR)


def check_expressible(judging: Judging) -> None:
    if judging.suite.bundles or judging.grader is not None:
        raise unsupported("no format that is written can say that groups earn one score, or a grader")
    if isinstance(judging.checker, ProgramChecker) and judging.checker.also:
        raise unsupported("no format that is written can say that there are several checkers")


def validator_of(checker: Checker) -> Validator:
    if checker == LineChecker():
        return LineValidator()
    if not isinstance(checker, ProgramChecker):
        return DefaultValidator()
    if checker.checker is not None:
        raise unsupported("no format that is written can say that a checker follows an interactor")
    how = checker.communication
    return OutputValidator(
        program=_program(checker, VALIDATOR),
        interactive=checker.interactive,
        scores=checker.scores,
        convention=checker.convention,
        passes=checker.passes,
        communication=None if how is None else Communication(how.copies, how.by_name),
    )


def _program(checker: ProgramChecker, directory: PurePosixPath) -> Program:
    files = tuple(directory / source.name for source in checker.sources)
    code = next((row.package_code for row in language_table() if row.slug == checker.language), "")
    return program_of(directory, files, code)


def file_names_of(form: SubmissionForm) -> FileNames | None:
    names = form.file_names
    return FileNames(names.input, names.output) if names.input or names.output else None


def included_of(form: SubmissionForm) -> tuple[IncludedFiles, ...]:
    return tuple(
        IncludedFiles(
            language=_code_of(each.languages),
            files=tuple((file.name, included_path(file.content)) for file in each.files),
            main=each.main,
            source_name=each.source_name,
            before=each.before,
            after=each.after,
        )
        for each in form.included
    )


def _code_of(languages: frozenset[LanguageSlug]) -> str:
    if not languages:
        return ""
    for code in sorted({row.code or row.slug for row in language_table()}):
        if frozenset(slugs_of(code)) == languages:
            return code
    names = ", ".join(sorted(languages))
    raise unsupported(f"a package cannot name just these languages for included files: {names}")


def included_path(content: ContentHash) -> PurePosixPath:
    return _INCLUDED / content


def arguments_of(checker: Checker) -> tuple[str, ...]:
    if isinstance(checker, ProgramChecker):
        return checker.arguments
    if checker == LineChecker():
        return ()
    same = as_icpc(checker)
    if same is None:
        raise unsupported(
            "a package cannot name a checker by bytes, with Unicode rules or other rules for lines"
        )
    return same.flags


def object_path(content: ContentHash) -> PurePosixPath:
    return _DATA / content


def _group_name(name: str) -> str:
    top = PurePosixPath(name).parts[0]
    return name if top in {SAMPLE, SECRET} else f"{SECRET}/{name}"


def _case_name(case: domain.Case, *, whole: bool) -> str:
    """Cases of a package lie under sample or secret, and those of a group in its directory."""
    top = SAMPLE if case.is_sample else SECRET
    if PurePosixPath(case.name).parts[0] == top:
        return case.name
    return f"{top}/{case.name}" if whole or case.is_sample else f"{_group_name(case.group)}/{case.name}"
