"""One direction between two programs: what the one writes the other reads, and nothing of ours in between."""

import math
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from deepoj_sandbox.host.streams import open_pipe

# Between the last close of a program that ends and its keeper's report.
_LAST_WORDS_SECONDS = 0.02
_PATH = "/proc/self/fd/{}"
_FOR_ALL = 0o666


class Seat(NamedTuple):
    """A program of a talk."""

    place: int
    by_name: bool
    """It opens its channels itself; else they are its standard input and output."""


class Channel:
    """Whoever ends because the other did must be told apart from who ended first.

    So a writing end stays open here until the end of its program is reported, and the other sees no end
    before. A program that closes its output and goes on is noticed too, and followed soon. Reading ends are
    not kept, because writing to a program that is gone should fail at once: but for one who has yet to open
    its own.
    """

    def __init__(self, source: Seat, target: Seat, directory: Path) -> None:
        """Channels that are opened by name are made in `directory`, and are gone from there at once."""
        self.source, self.target = source.place, target.place
        self._due = math.inf
        self._somebody_gone = False
        named = source.by_name or target.by_name
        self.held = self._kept_reader = -1
        self.reader, self._writer, self.name = open_fifo(directory) if named else (*open_pipe(), -1)
        try:
            # Not a duplicate: the last close of the program's own is told only of an open file of its own.
            self.held = os.open(_PATH.format(self._writer), os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise
        if source.by_name:
            os.close(self.taken_writer())
        if target.by_name:
            self._kept_reader, self.reader = self.reader, -1
            if source.by_name:
                # Who opens it to write waits for the one who reads, as is the way of named pipes.
                self._forget_reader()

    def taken_writer(self) -> int:
        """The writing end of a program; who takes it closes it."""
        writer, self._writer = self._writer, -1
        return writer

    def started(self) -> None:
        """The programs have their ends."""
        _close(self.reader)
        self.reader = -1

    def closed(self) -> None:
        """A program, or what is left of it, has closed its output."""
        if self.held >= 0:
            self._due = min(self._due, time.monotonic() + _LAST_WORDS_SECONDS)

    def ended(self, place: int) -> None:
        """The program at this place is over."""
        if place not in {self.source, self.target}:
            return
        self.let_go()
        if place == self.target:
            self._forget_reader()
        self._somebody_gone = True

    def patience(self) -> float:
        """Do what is due; return the seconds until there is more to do."""
        now = time.monotonic()
        if self._due <= now:
            self.let_go()
        if self._somebody_gone and self.name >= 0:
            self._wake()
            return _LAST_WORDS_SECONDS
        return self._due - now

    def _wake(self) -> None:
        """Whoever waits in vain for the other to open it gets it open, and finds its end."""
        path = _PATH.format(self.name)
        try:
            os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC))
        except PermissionError:
            # Where nobody is root a program owns its pipes as we do. It is opened the next time.
            Path(path).chmod(_FOR_ALL)

    def let_go(self) -> None:
        """Let the end of the output be seen."""
        self._due = math.inf
        _close(self.held)
        self.held = -1

    def _forget_reader(self) -> None:
        _close(self._kept_reader)
        self._kept_reader = -1

    def close(self) -> None:
        self.started()
        self.let_go()
        self._forget_reader()
        _close(self.taken_writer())
        _close(self.name)
        self.name = -1


def open_fifo(directory: Path) -> tuple[int, int, int]:
    """A reading end, a writing end, and a third that is neither.

    Whoever has the third can open the pipe by the name of that descriptor, as if it lay in a directory.
    """
    path = directory / f"talk-{os.urandom(8).hex()}"
    os.mkfifo(path, 0o600)
    opened: list[int] = []
    try:
        # For reading and writing, which waits for nobody.
        kinds = (os.O_RDWR, os.O_RDONLY, os.O_WRONLY, os.O_PATH)
        opened.extend(os.open(path, kind | os.O_CLOEXEC) for kind in kinds)
        # Whatever user a program runs as; from here on nobody finds it who does not hold it.
        path.unlink()
        os.fchmod(opened[0], _FOR_ALL)
    except BaseException:
        with suppress(FileNotFoundError):
            path.unlink()
        for each in opened:
            os.close(each)
        raise
    both, reader, writer, name = opened
    os.close(both)
    return reader, writer, name


def _close(descriptor: int) -> None:
    if descriptor >= 0:
        os.close(descriptor)
