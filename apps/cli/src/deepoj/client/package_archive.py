"""A package directory as one archive, in a file that is gone when it is closed."""

from __future__ import annotations

import os
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


def opened(path: Path, *, follow_links: bool = False) -> IO[bytes]:
    """Return the archive at its beginning: the file itself, or the directory or FPS file packed.

    A link in a directory is packed as what it leads to.
    """
    if format_of(path) == "zip" or path.suffix.lower() == ".tar":
        return path.open("rb")
    name = Path(path.resolve().name)
    files = list(_files(path, None if follow_links else path.resolve())) if path.is_dir() else [path]
    archive = TemporaryFile()  # noqa: SIM115 — the caller closes it
    try:
        with tarfile.open(fileobj=archive, mode="w", format=tarfile.PAX_FORMAT, dereference=True) as tar:
            for each in files:
                tar.add(each, arcname=str(name / each.relative_to(path)), recursive=False)
    except BaseException:
        archive.close()
        raise
    archive.seek(0)
    return archive


def _files(directory: Path, inside: Path | None) -> Iterator[Path]:
    """Links may lead to what lies `inside`, to anything where that is None."""
    for each in sorted(directory.iterdir()):
        if each.name in _JUNK or (each.is_symlink() and not _is_taken(each, inside)):
            continue
        if not (each.is_dir() or each.is_file()):
            raise Failure(f"{each} is no ordinary file: a package holds only files", Exit.USAGE)
        yield each
        if each.is_dir():
            yield from _files(each, inside)


def _is_taken(link: Path, inside: Path | None) -> bool:
    target = Path(os.path.realpath(link))  # Path.resolve raises where links lead to each other.
    if inside is not None and not target.is_relative_to(inside):
        raise Failure(
            f"{link} is a link that leaves the package: --follow-links takes what it leads to", Exit.USAGE
        )
    if target in link.parent.resolve().parents or target == link.parent.resolve():
        raise Failure(f"{link} is a link to a directory that it lies in", Exit.USAGE)
    if not target.exists() and inside is not None:
        raise Failure(
            f"{link} is a link that leads nowhere: remove it, or --follow-links leaves it out", Exit.USAGE
        )
    return target.exists()
