"""A package directory as one archive, in a file that is gone when it is closed."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from deepoj.errors import Exit, Failure

# Made by tools on the setter's machine; none of it belongs to a problem.
_JUNK: Final = frozenset({".git", ".hg", ".svn", "__pycache__", ".DS_Store", "__MACOSX", ".idea", ".vscode"})
_FPS: Final = ".xml"
_FORMATS: Final = {".zip": "zip", ".kpp": "zip", ".tar": "tar"}


def format_of(path: Path) -> str:
    """Return what the server calls this kind of archive."""
    if path.is_dir() or path.suffix.lower() == _FPS:
        return "tar"
    if path.suffix.lower() not in _FORMATS:
        raise Failure(
            f"{path} is neither a directory nor a .zip or .tar archive nor an FPS file (.xml)", Exit.USAGE
        )
    return _FORMATS[path.suffix.lower()]


def opened(path: Path) -> IO[bytes]:
    """Return the archive at its beginning: the file itself, or the directory or FPS file packed."""
    if format_of(path) == "zip" or path.suffix.lower() == ".tar":
        return path.open("rb")
    name = Path(path.resolve().name)
    files = list(_files(path)) if path.is_dir() else [path]
    archive = TemporaryFile()  # noqa: SIM115 — the caller closes it
    try:
        with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT) as tar:
            for each in files:
                tar.add(each, arcname=str(name / each.relative_to(path)), recursive=False)
    except BaseException:
        archive.close()
        raise
    archive.seek(0)
    return archive


def _files(root: Path) -> Iterator[Path]:
    for each in sorted(root.iterdir()):
        if each.name in _JUNK:
            continue
        if each.is_symlink() or not (each.is_dir() or each.is_file()):
            raise Failure(f"{each} is a link or no ordinary file: a package holds only files", Exit.USAGE)
        yield each
        if each.is_dir():
            yield from _files(each)
