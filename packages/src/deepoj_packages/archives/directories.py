"""Look over a directory that is read where it lies."""

import os
import stat
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.guard import Guard
from deepoj_packages.archives.names import is_hidden, safe_path
from deepoj_packages.options import ReadingOptions
from deepoj_packages.refusal import PackageRefusedError, Reason

_FOLLOW = "with --follow-links deepoj takes"


def look_over(root: Path, guard: Guard, options: ReadingOptions) -> tuple[PurePosixPath, ...]:
    """Refuse what a package may not hold; return links that lead nowhere, where links are to be followed."""
    real_root = None if options.follow_links else root.resolve()
    nowhere = []
    waiting = [PurePosixPath()]
    while waiting:
        directory = waiting.pop()
        with os.scandir(root / directory) as entries:
            for entry in entries:
                path = safe_path(str(directory / entry.name), options.limits)
                if path is None or (is_hidden(entry.name) and entry.is_dir()):
                    continue
                if options.follow_links and entry.is_symlink() and not Path(entry.path).exists():
                    nowhere.append(path)
                elif _look_at(entry, path, real_root, guard):
                    waiting.append(path)
    return tuple(sorted(nowhere))


def _look_at(entry: os.DirEntry[str], path: PurePosixPath, root: Path | None, guard: Guard) -> bool:
    """Say whether it is a directory to be looked over too."""
    if root is not None and entry.is_symlink() and not _end_of(entry).is_relative_to(root):
        raise _refused(f"{path} is a link that leaves the package: {_FOLLOW} what it leads to")
    try:
        found = entry.stat()
    except OSError:
        raise _refused(
            f"{path} is a link that leads nowhere: remove it, or {_FOLLOW} the package without it"
        ) from None
    is_directory = stat.S_ISDIR(found.st_mode)
    if not is_directory and not stat.S_ISREG(found.st_mode):
        raise _refused(f"{path} is neither a file nor a directory")
    guard.admit(path, is_directory=is_directory)
    if not is_directory:
        guard.expect(path, found.st_size)
        guard.count(found.st_size)
    return is_directory


def _end_of(link: os.DirEntry[str]) -> Path:
    """Also of links that lead to each other, which Path.resolve would raise an error for."""
    return Path(os.path.realpath(link.path))


def _refused(sentence: str) -> PackageRefusedError:
    return PackageRefusedError(Reason.UNSAFE_ENTRY, sentence)
