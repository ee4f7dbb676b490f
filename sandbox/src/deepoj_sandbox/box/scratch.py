"""Wiping a box's scratch directory between runs."""

import contextlib
import os


class Scratch:
    """The directory is sticky and not the program's, so the program can fill it but not change it."""

    def __init__(self, directory: str, user: int, keeper: int) -> None:
        self._directory = directory
        self._user = user
        self._keeper = keeper
        self._pristine = self._free()

    def _free(self) -> tuple[int, int]:
        state = os.statvfs(self._directory)
        return state.f_bfree, state.f_ffree

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
        if self._free() != self._pristine:
            raise OSError(39, "scratch could not be emptied")

    def _flatten(self) -> None:
        """Unlink files and lift nested directories to the top until none is left.

        A program may nest deeper than any path or any recursion can reach; lifting never goes deeper
        than one level, and the inode limit bounds the work.
        """
        lifted = 0
        while names := os.listdir(self._directory):
            for name in names:
                path = f"{self._directory}/{name}"
                if not _unlinked(path):
                    lifted = self._lift(path, lifted)

    def _lift(self, directory: str, lifted: int) -> int:
        os.chmod(directory, 0o700, follow_symlinks=True)
        for name in os.listdir(directory):
            if not _unlinked(f"{directory}/{name}"):
                lifted += 1
                # A directory can be renamed only by who may write to it.
                os.chmod(f"{directory}/{name}", 0o700)
                os.rename(f"{directory}/{name}", f"{self._directory}/lifted {lifted}")
        os.rmdir(directory)
        return lifted


def _unlinked(path: str) -> bool:
    with contextlib.suppress(IsADirectoryError):
        os.unlink(path)
        return True
    return False
