"""A solution the setter names on the command line: a file, or a directory of files."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from deepoj_judgement.commands.setter.errors import Reason, SetterFailedError
from deepoj_packages.languages import language_of
from deepoj_packages.shared.programs import UnusableProgramError, program_of
from deepoj_packages.spec import Program

_MOST_FILES = 200
_MOST_BYTES = 4 * 1024 * 1024


def find_program(path: Path, language: str) -> Program:
    """`language` is what the caller wants it run in, empty to go by the names of the files."""
    if not path.exists():
        raise SetterFailedError(Reason.MISSING, f"there is no solution {path}")
    at = PurePosixPath(path.resolve())
    files = _files(path, at)
    known = next((code for file in files if (code := language_of(file))), "")
    try:
        return program_of(at, files, known if language else "")
    except UnusableProgramError as error:
        if language:
            return program_of(at, files, language)
        raise SetterFailedError(
            Reason.SOLUTION, f"{error.sentence}; say with --language what it is written in"
        ) from error


def _files(path: Path, at: PurePosixPath) -> tuple[PurePosixPath, ...]:
    inside = [path] if path.is_file() else sorted(path.rglob("*"))
    plain = [each for each in inside if each.is_file() and not _is_hidden(each, path)]
    found = tuple(at / each.relative_to(path).as_posix() for each in plain)
    if not found:
        raise SetterFailedError(Reason.SOLUTION, f"{path} is empty")
    if len(found) > _MOST_FILES or sum(Path(file).stat().st_size for file in found) > _MOST_BYTES:
        raise SetterFailedError(Reason.SOLUTION, f"{path} is too large for a solution")
    return found


def _is_hidden(file: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(root).parts)
