"""Look over a directory that is read where it lies."""

import os
import stat
from pathlib import Path, PurePosixPath

from deepoj_packages.archives.guard import Guard
from deepoj_packages.archives.links import leaves
from deepoj_packages.archives.names import safe_path
from deepoj_packages.options import ReadingLimits
from deepoj_packages.refusal import PackageRefusedError, Reason


def look_over(root: Path, guard: Guard, limits: ReadingLimits) -> None:
    """Refuse what a package may not hold. Hidden directories (.git) belong to tools and are left out."""
    real_root = root.resolve()
    waiting = [PurePosixPath()]
    while waiting:
        directory = waiting.pop()
        with os.scandir(root / directory) as entries:
            for entry in entries:
                path = safe_path(str(directory / entry.name), limits)
                if path is None or (entry.name.startswith(".") and entry.is_dir()):
                    continue
                if _look_at(entry, path, real_root, guard):
                    waiting.append(path)


def _look_at(entry: os.DirEntry[str], path: PurePosixPath, root: Path, guard: Guard) -> bool:
    """Say whether it is a directory to be looked over too."""
    if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
        raise leaves(path)
    try:
        found = entry.stat()
    except OSError:
        raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} is a link that leads nowhere") from None
    is_directory = stat.S_ISDIR(found.st_mode)
    if not is_directory and not stat.S_ISREG(found.st_mode):
        raise PackageRefusedError(Reason.UNSAFE_ENTRY, f"{path} is neither a file nor a directory")
    guard.admit(path, is_directory=is_directory)
    if not is_directory:
        guard.expect(path, found.st_size)
        guard.count(found.st_size)
    return is_directory
