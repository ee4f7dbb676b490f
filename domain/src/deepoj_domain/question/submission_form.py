"""What people submit to a question: a program that reads and writes somewhere, or the answers themselves."""

import re
from dataclasses import dataclass, field
from typing import Final

from deepoj_domain.kernel.digest import LATER
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.checker import SourceFile

MOST_INCLUDED: Final = 200
_PLAIN_NAME = re.compile(r"(?=.{1,100}$)(?![.-])[\w+.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNames:
    """Files in the directory a program starts in; empty is the standard stream."""

    input: str = ""
    output: str = ""

    def __post_init__(self) -> None:
        for name in (self.input, self.output):
            if name:
                check_file_name(name)
        if self.input and self.input == self.output:
            raise InvalidValueError("file_names", "a program cannot read and write the same file")


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedFiles:
    """What is put beside a submission before it is compiled, instead of files it has itself."""

    languages: frozenset[LanguageSlug]
    """Empty: every language that has no files of its own."""
    files: tuple[SourceFile, ...]
    main: str = ""
    """The file the program begins in (a grader, a stub); empty: it begins in the submission."""
    source_name: str = ""
    """The name the submission has beside them, where they refer to it; empty: the one of its language."""
    before: str = field(default="", metadata=LATER)
    """The file whose text stands before that of the submission, in one file with it; empty: none."""
    after: str = field(default="", metadata=LATER)

    def __post_init__(self) -> None:
        names = {file.name for file in self.files}
        if not names or len(names) < len(self.files):
            raise InvalidValueError("included_files", "included files need names, and each another one")
        named = [name for name in (self.main, self.before, self.after) if name]
        if missing := [name for name in named if name not in names]:
            raise InvalidValueError("included_main", f"{missing[0][:80]!r} is not one of the included files")
        if len(set(named)) < len(named):
            raise InvalidValueError("included_twice", "an included file has one place only")
        if self.source_name:
            check_file_name(self.source_name)
            if self.source_name in names:
                raise InvalidValueError(
                    "included_source_name", f"{self.source_name!r} is an included file, not the submission"
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionForm:
    file_names: FileNames = FileNames()
    included: tuple[IncludedFiles, ...] = ()
    answers: bool = False
    """It is no program: it has the output for each case, under the name of the case."""

    def __post_init__(self) -> None:
        if self.answers and (self.included or self.file_names != FileNames()):
            raise InvalidValueError(
                "answers_alone", "answers are neither compiled nor run, so nothing goes with them"
            )
        if sum(len(each.files) for each in self.included) > MOST_INCLUDED:
            raise InvalidValueError("too_many_included", f"at most {MOST_INCLUDED} files are included")
        named = [language for each in self.included for language in (each.languages or (None,))]
        if len(set(named)) < len(named):
            raise InvalidValueError("included_twice", "a language has included files twice")

    def included_for(self, language: LanguageSlug) -> IncludedFiles | None:
        common = next((each for each in self.included if not each.languages), None)
        return next((each for each in self.included if language in each.languages), common)

    @property
    def needs_driver(self) -> bool:
        """A submission is only a part: without a file that calls it, it does nothing."""
        return any(each.main for each in self.included)


def check_file_name(name: str) -> None:
    if not _PLAIN_NAME.fullmatch(name):
        raise InvalidValueError("file_name", f"{name[:80]!r} cannot name a file beside a program")
