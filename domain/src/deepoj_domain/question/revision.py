"""One immutable revision: what people read, and what decides a verdict."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.clock import require_utc
from deepoj_domain.kernel.digest import LATER, ContentHash, hash_of, written_out
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    Grader,
    ProgramChecker,
    all_programs,
    programs_of,
    with_arguments,
)
from deepoj_domain.question.limits import MOST_LANGUAGES, Allowance
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.submission_form import FileNames, SubmissionForm
from deepoj_domain.question.suite import Suite

# A judge spec travels in one message; with these it stays small, whatever the names are.
MOST_CASES: Final = 10_000
MOST_GROUPS: Final = 100
MOST_NAME: Final = 100
MOST_CASE_ARGUMENTS: Final = 100 * 1024
MOST_CASE_FILES: Final = 1000
MOST_ARGUMENTS: Final = 200
MOST_SOURCES: Final = 50
MOST_EXTRAS: Final = 2000
MOST_PATH: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Everything that can change a verdict, and nothing else."""

    allowance: Allowance
    suite: Suite
    checker: Checker
    languages: frozenset[LanguageSlug] | None = None
    """None allows every language that is installed."""
    form: SubmissionForm = field(default=SubmissionForm(), metadata=LATER)
    grader: Grader | None = field(default=None, metadata=LATER)
    source_checker: ProgramChecker | None = field(default=None, metadata=LATER)
    """Decides the cases that are about the source."""

    def __post_init__(self) -> None:
        _check_size(self.suite)
        _check_grader(self.grader, self.suite)
        _check_checker(self.checker, self.suite)
        _check_source_checker(self.source_checker, self.suite, self.form)
        _check_form(self.form, self.checker)
        _check_cases(self.form, self.suite)
        if self.languages is None:
            return
        if not self.languages:
            raise InvalidValueError("no_languages", "a question must allow at least one language")
        if len(self.languages) > MOST_LANGUAGES:
            raise InvalidValueError("too_many_languages", f"at most {MOST_LANGUAGES} languages are named")

    @property
    def programs(self) -> tuple[ProgramChecker | Grader, ...]:
        return all_programs(self.checker, self.grader, self.source_checker)

    @property
    def hash(self) -> ContentHash:
        """Equal for equal judging, whoever computes it; a renamed type or field changes it."""
        return hash_of(written_out(self).encode())


@dataclass(frozen=True, slots=True)
class Extra:
    """A file of the package that only setters use: an example submission, a validator of inputs."""

    path: str
    content: ContentHash

    def __post_init__(self) -> None:
        parts = self.path.split("/")
        if not self.path or len(self.path) > MOST_PATH or not {"", ".", ".."}.isdisjoint(parts):
            raise InvalidValueError("extra_path_malformed", f"{self.path[:80]!r} is no path inside a package")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionContent:
    presentation: Presentation
    judging: Judging
    extras: tuple[Extra, ...] = ()
    """Kept to be given back with the package; nobody is shown them, and no verdict depends on them."""

    def __post_init__(self) -> None:
        if len(self.extras) > MOST_EXTRAS:
            raise InvalidValueError("too_many_extras", f"at most {MOST_EXTRAS} further files are kept")


@dataclass(frozen=True, slots=True)
class Revision:
    """Never changed once made; an edit makes the next number."""

    ref: RevisionRef
    content: RevisionContent
    made_by: AccountId
    made_at: datetime

    def __post_init__(self) -> None:
        require_utc(self.made_at)


def _check_size(suite: Suite) -> None:
    if len(suite.cases) > MOST_CASES:
        raise InvalidValueError("too_many_cases", f"a question has at most {MOST_CASES} cases")
    _check_extent_of_cases(suite)
    if len(suite.groups) + len(suite.bundles) > MOST_GROUPS:
        raise InvalidValueError("too_many_groups", f"a question has at most {MOST_GROUPS} groups")
    names = [case.name for case in suite.cases] + [each.name for each in suite.groups_and_bundles]
    if any(len(name.encode()) > MOST_NAME for name in names):
        raise InvalidValueError("name_too_long", f"the name of a case or group has at most {MOST_NAME} bytes")


def _check_extent_of_cases(suite: Suite) -> None:
    if sum(len(word.encode()) + 1 for case in suite.cases for word in case.arguments) > MOST_CASE_ARGUMENTS:
        raise InvalidValueError(
            "case_arguments", f"the arguments of all cases have at most {MOST_CASE_ARGUMENTS} bytes together"
        )
    if sum(len(case.files) for case in suite.cases) > MOST_CASE_FILES:
        raise InvalidValueError("case_files", f"all cases together have at most {MOST_CASE_FILES} files")


def _check_checker(checker: Checker, suite: Suite) -> None:
    for case in suite.cases:
        _check_arguments(case.checker_arguments or ())
        if not case.of_source:
            # Found now, not in the middle of a judgement.
            with_arguments(checker, case.checker_arguments)
    for program in programs_of(checker):
        _check_program(program)
        if program.convention is Convention.SOURCE:
            raise InvalidValueError("checker_of_source", "who looks at the source checks no outputs")


def _check_program(program: ProgramChecker) -> None:
    _check_arguments(program.arguments)
    if len(program.sources) > MOST_SOURCES:
        raise InvalidValueError("checker_sources", f"a checker has at most {MOST_SOURCES} source files")


def _check_source_checker(checker: ProgramChecker | None, suite: Suite, form: SubmissionForm) -> None:
    if checker is None:
        if any(case.of_source for case in suite.cases):
            raise InvalidValueError("source_checker_missing", "a case about the source needs a checker of it")
        return
    if not any(case.of_source for case in suite.cases):
        raise InvalidValueError("source_checker_unused", "nothing asks the source checker")
    if checker.convention is not Convention.SOURCE or checker.also:
        raise InvalidValueError("source_checker", "a source checker is one program that is given the source")
    if form.answers:
        raise InvalidValueError("answers_alone", "answers have no source that could be checked")
    _check_program(checker)


def _check_grader(grader: Grader | None, suite: Suite) -> None:
    if suite.is_graded and grader is None:
        raise InvalidValueError("grader_missing", "a group that is graded needs a grader")
    if grader is not None and not suite.is_graded:
        raise InvalidValueError("grader_unused", "nothing asks the grader")
    if grader is not None and len(grader.sources) > MOST_SOURCES:
        raise InvalidValueError("grader_sources", f"a grader has at most {MOST_SOURCES} source files")
    for each in suite.groups_and_bundles:
        _check_arguments(each.grader_arguments)


def _check_form(form: SubmissionForm, checker: Checker) -> None:
    for program in programs_of(checker):
        if program.interactive and (form.answers or form.file_names != FileNames()):
            raise InvalidValueError(
                "form_interactive", "who talks with an interactor uses the standard streams"
            )
        if program.passes > 1 and form.answers:
            raise InvalidValueError("form_passes", "answers cannot be run again")


def _check_cases(form: SubmissionForm, suite: Suite) -> None:
    if form.answers and any(case.arguments or case.files for case in suite.cases):
        raise InvalidValueError("answers_alone", "answers are not run, so a case has no arguments or files")
    taken = {form.file_names.input, form.file_names.output}
    for case in suite.cases:
        for file in case.files:
            if file.name.split("/")[0] in taken:
                raise InvalidValueError(
                    "case_files", f"{file.name!r} of a case is where a solution reads or writes"
                )


def _check_arguments(arguments: tuple[str, ...]) -> None:
    if sum(len(word.encode()) + 1 for word in arguments) > MOST_ARGUMENTS:
        raise InvalidValueError(
            "checker_arguments_too_long", f"the arguments of a checker have at most {MOST_ARGUMENTS} bytes"
        )
