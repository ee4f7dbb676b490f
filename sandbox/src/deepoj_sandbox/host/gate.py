"""Who may run at the same time: many together, or one alone.

Those who drive a box of their own (client/lent_box.py) take part through a file: its one byte says whether
they may begin, a shared lock on it that they run.
"""

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator

# For so long those who want to be alone keep others from starting, while they wait for the running ones.
_PATIENCE_SECONDS = 1.0
# And of all the time they have no more than one part in so many: a program can make itself run alone.
_PARTS = 25
OPEN = b"o"
_CLOSED = b"c"
# Nobody tells when a lock is free.
_LOOK_SECONDS = 0.005


class Gate:
    """To be alone is a wish: whoever may not, or would have to wait for long, runs beside the others."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, patience: float = _PATIENCE_SECONDS
    ) -> None:
        self._clock = clock
        self._patience = patience
        self._changed = threading.Condition()
        self._running = 0
        self._closed = False
        self._next_alone = 0.0
        self._file = os.memfd_create("gate", os.MFD_CLOEXEC)
        os.pwrite(self._file, OPEN, 0)

    def share(self) -> int:
        """Return a new descriptor of the file; a lock belongs to what was opened, not to who holds it."""
        return os.open(f"/proc/self/fd/{self._file}", os.O_RDONLY | os.O_CLOEXEC)

    @contextlib.contextmanager
    def enter(self, *, alone: bool) -> Iterator[None]:
        with self._changed:
            closed_at = self._close() if alone else None
            if closed_at is None:
                self._changed.wait_for(lambda: not self._closed)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                if closed_at is not None:
                    self._open(closed_at)
                self._changed.notify_all()

    def _close(self) -> float | None:
        """Let nobody start and wait for those who run; return when that began, or None if it is not to be."""
        now = self._clock()
        if self._closed or now < self._next_alone:
            return None
        self._closed = True
        os.pwrite(self._file, _CLOSED, 0)
        deadline = time.monotonic() + self._patience
        quiet = self._changed.wait_for(lambda: not self._running, self._patience)
        while quiet and not self._locked():
            quiet = time.monotonic() < deadline
            self._changed.wait(_LOOK_SECONDS)
        if quiet:
            return now
        self._open(now)
        return None

    def _locked(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _open(self, closed_at: float) -> None:
        self._closed = False
        fcntl.flock(self._file, fcntl.LOCK_UN)
        os.pwrite(self._file, OPEN, 0)
        now = self._clock()
        self._next_alone = now + (_PARTS - 1) * (now - closed_at)
        self._changed.notify_all()
