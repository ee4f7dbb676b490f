"""Making and removing group directories, the same for both versions."""

import contextlib
import errno
import os
import time
from pathlib import Path

_PATIENCE_SECONDS = 5.0
_PAUSE_SECONDS = 0.001


def remove_group(directory: Path) -> None:
    """Remove one group, waiting out tasks that are still on their way to the grave."""
    give_up = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            directory.rmdir()
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > give_up:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def remove_tree(root: Path) -> None:
    """Remove what a dead agent left: its groups have no tasks any more, only names."""
    if not root.is_dir():
        return
    for child in root.iterdir():
        if child.is_dir():
            remove_tree(child)
    remove_group(root)


def open_file(directory: Path, name: str, flags: int) -> int:
    return os.open(directory / name, flags | os.O_CLOEXEC)


class OpenFiles:
    """Descriptors of one group, closed once."""

    def __init__(self) -> None:
        self._open: list[int] = []

    def add(self, directory: Path, *names: tuple[str, int]) -> tuple[int, ...]:
        opened = tuple(open_file(directory, name, flags) for name, flags in names)
        self._open += opened
        return opened

    def close(self) -> None:
        while self._open:
            with contextlib.suppress(OSError):
                os.close(self._open.pop())
