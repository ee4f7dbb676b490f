"""Directories that no other user of the machine can look into, change, or have made before us."""

from __future__ import annotations

import os
from errno import EPERM
from pathlib import Path
from stat import S_IMODE

_OTHERS = 0o077
_OTHERS_WRITE = 0o022


def private_directory(path: Path) -> Path:
    """Make it, or see that it is a directory of this user's that nobody else could have put things into."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        _claim(path)
    return path


def _claim(path: Path) -> None:
    # By descriptor and not through a link: what is looked at is what is changed.
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid():
            raise OSError(EPERM, "it belongs to another user", str(path))
        if found.st_mode & _OTHERS_WRITE:
            raise OSError(EPERM, "other users may write to it", str(path))
        if found.st_mode & _OTHERS:
            os.fchmod(descriptor, S_IMODE(found.st_mode) & ~_OTHERS)
    finally:
        os.close(descriptor)
