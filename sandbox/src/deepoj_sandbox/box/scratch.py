"""Wiping a box's scratch directory between runs."""

import contextlib
import errno
import itertools
import os
import time
from collections.abc import Iterator

_PATIENCE_SECONDS = 2.0
_PAUSE_SECONDS = 0.001


class Scratch:
    """The directory is sticky and not the program's, so the program can fill it but not change it."""

    def __init__(self, directory: str, user: int, keeper: int) -> None:
        self._root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._user = user
        self._keeper = keeper
        self._pristine = self._free()

    def _free(self) -> tuple[int, int]:
        state = os.fstatvfs(self._root)
        return state.f_bfree, state.f_ffree

    def used_bytes(self) -> int:
        state = os.fstatvfs(self._root)
        return (self._pristine[0] - state.f_bfree) * state.f_frsize

    def wipe(self) -> None:
        """Leave nothing. One look at the counters is enough when nothing was written."""
        if self._free() == self._pristine:
            return
        # The keeper has no capability: it takes the program's identity to remove the program's files.
        os.seteuid(self._user)
        try:
            self._flatten()
        finally:
            os.seteuid(self._keeper)
        give_up = time.monotonic() + _PATIENCE_SECONDS
        while self._free() != self._pristine:
            # The last reference to a deleted file may be dropped a moment after its process was reaped.
            if time.monotonic() > give_up:
                raise OSError(errno.ENOTEMPTY, "scratch could not be emptied")
            time.sleep(_PAUSE_SECONDS)

    def _flatten(self) -> None:
        """Unlink files and lift nested directories to the top until none is left.

        A program may nest deeper than any path or any recursion can reach; lifting never goes deeper
        than one level, and the inode limit bounds the work.
        """
        # Names that no program can have taken before.
        secret = os.urandom(16).hex()
        free = (f"{secret} {number}" for number in itertools.count())
        while names := _names(self._root):
            for name in names:
                if not _unlinked(name, self._root):
                    self._lift(name, free)

    def _lift(self, directory: str, free: Iterator[str]) -> None:
        os.chmod(directory, 0o700, dir_fd=self._root)
        inside = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._root)
        try:
            for name in _names(inside):
                if not _unlinked(name, inside):
                    # A directory can be moved only by who may write to it.
                    os.chmod(name, 0o700, dir_fd=inside)
                    os.rename(name, next(free), src_dir_fd=inside, dst_dir_fd=self._root)
        finally:
            os.close(inside)
        os.rmdir(directory, dir_fd=self._root)


def _names(directory: int) -> list[str]:
    with os.scandir(directory) as entries:
        return [entry.name for entry in entries]


def _unlinked(name: str, directory: int) -> bool:
    with contextlib.suppress(IsADirectoryError):
        os.unlink(name, dir_fd=directory)
        return True
    return False
