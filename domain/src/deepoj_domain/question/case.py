from dataclasses import dataclass, field
from typing import Final

from deepoj_domain.kernel.digest import LATER, ContentHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import ZERO, Score
from deepoj_domain.question.checker import SourceFile
from deepoj_domain.question.limits import check_own_limits
from deepoj_domain.question.submission_form import check_file_name

MOST_WORDS: Final = 100
MOST_WORD_BYTES: Final = 2000
MOST_FILES: Final = 50
MOST_FILE_NAME: Final = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One test. Input and answer live in the object store under their content hash.

    `points` counts in a SUM group only; in the others the group holds the points.
    """

    name: str
    group: str
    input: ContentHash
    answer: ContentHash
    points: Score = ZERO
    is_sample: bool = False
    reject_points: Score = ZERO
    """What it earns all the same when it is not accepted, whatever the reason."""
    checker_arguments: tuple[str, ...] | None = None
    """Instead of the checker's own; None: those of the checker."""
    time_ms: int = field(default=0, metadata=LATER)
    """Instead of the question's, and like that one for a language whose factor is 1; 0: the question's."""
    memory_bytes: int = field(default=0, metadata=LATER)
    arguments: tuple[str, ...] = field(default=(), metadata=LATER)
    """What a solution is called with, word for word."""
    files: tuple[SourceFile, ...] = field(default=(), metadata=LATER)
    """What a solution finds in the directory it starts in, and cannot change."""
    of_source: bool = field(default=False, metadata=LATER)
    """The source checker of the question decides it: no solution is run, so input and answer mean nothing."""

    def __post_init__(self) -> None:
        if not self.name:
            raise InvalidValueError("case_unnamed", "a case needs a name")
        check_own_limits(self.time_ms, self.memory_bytes)
        _check_arguments(self.arguments)
        _check_files(self.files)
        if self.of_source and (self.arguments or self.files or self.time_ms or self.memory_bytes):
            raise InvalidValueError(
                "case_of_source", "a case about the source has no arguments, files or limits of a solution"
            )

    @property
    def contents(self) -> tuple[ContentHash, ...]:
        """All that lies in the object store."""
        return self.input, self.answer, *(file.content for file in self.files)


def _check_arguments(arguments: tuple[str, ...]) -> None:
    try:
        size = sum(len(word.encode()) + 1 for word in arguments)
    except UnicodeEncodeError:
        raise InvalidValueError("case_arguments", "an argument of a case is no Unicode text") from None
    if len(arguments) > MOST_WORDS or size > MOST_WORD_BYTES:
        raise InvalidValueError(
            "case_arguments", f"a case has at most {MOST_WORDS} arguments of {MOST_WORD_BYTES} bytes together"
        )
    if any("\0" in word for word in arguments):
        raise InvalidValueError("case_arguments", "no program can be given a zero byte in an argument")


def _check_files(files: tuple[SourceFile, ...]) -> None:
    if len(files) > MOST_FILES:
        raise InvalidValueError("case_files", f"a case has at most {MOST_FILES} files beside its input")
    names = {file.name for file in files}
    for name in names:
        if len(name.encode()) > MOST_FILE_NAME:
            raise InvalidValueError(
                "file_name",
                f"the name {name[:80]!r} of a file of a case has more than {MOST_FILE_NAME} bytes",
            )
        *directories, _ = parts = name.split("/")
        for part in parts:
            check_file_name(part)
        if any("/".join(directories[: end + 1]) in names for end in range(len(directories))):
            raise InvalidValueError("case_files", f"{name!r} lies in a file of the same case")
    if len(names) < len(files):
        raise InvalidValueError("case_files", "two files of a case have the same name")
