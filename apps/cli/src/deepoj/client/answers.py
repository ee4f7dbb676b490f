"""A zip of answers as the one text a submission is: a line `=== name` before the answer to each case."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path, PurePosixPath
from typing import Final

from deepoj.errors import Exit, Failure

_MOST_ENTRIES: Final = 10_000
_MOST_BYTES: Final = 1024 * 1024
_HEAD: Final = "=== "
_UNIX_MODE: Final = 16


def answers_of(file: Path) -> str:
    """Raise Failure for an archive that is not one plain file for each case."""
    try:
        with zipfile.ZipFile(file) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            _check(entries)
            return "".join(f"{_HEAD}{_name(entry)}\n{_answer(archive, entry)}" for entry in entries)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError) as error:
        raise _refused(f"{file} cannot be read as a zip ({error})") from error


def _check(entries: list[zipfile.ZipInfo]) -> None:
    if not 0 < len(entries) <= _MOST_ENTRIES:
        raise _refused(f"a zip of answers has 1 to {_MOST_ENTRIES} files, this one {len(entries)}")
    if sum(entry.file_size for entry in entries) > _MOST_BYTES:
        raise _refused(f"the answers have more than {_MOST_BYTES} bytes together")
    names = [_name(entry) for entry in entries]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _refused(f"there are two answers for {twice!r}")


def _name(entry: zipfile.ZipInfo) -> str:
    """The name of the case: that of the file without its ending."""
    path = PurePosixPath(entry.filename)
    mode = entry.external_attr >> _UNIX_MODE
    is_plain = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
    is_inside = not path.is_absolute() and ".." not in path.parts and "\\" not in entry.filename
    if not (is_plain and is_inside and entry.filename.isprintable()):
        raise _refused(f"{entry.filename[:80]!r} is not a plain file of the zip")
    return str(path.with_suffix(""))


def _answer(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & 1:
        raise _refused(f"{entry.filename} is encrypted")
    with archive.open(entry) as opened:
        content = opened.read(_MOST_BYTES + 1)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _refused(f"{entry.filename} is not a text in UTF-8") from error
    if any(line.startswith(_HEAD) for line in text.split("\n")):
        raise _refused(f"{entry.filename} has a line that begins with {_HEAD!r}, which begins an answer")
    return text if not text or text.endswith("\n") else f"{text}\n"


def _refused(sentence: str) -> Failure:
    return Failure(sentence, Exit.USAGE)
