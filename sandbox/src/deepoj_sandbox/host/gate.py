"""Who may run at the same time: many together, or one alone."""

import contextlib
import threading
from collections.abc import Iterator


class Gate:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._waiting_alone = 0
        self._alone = False

    @contextlib.contextmanager
    def enter(self, *, alone: bool) -> Iterator[None]:
        with self._changed:
            if alone:
                self._waiting_alone += 1
                self._changed.wait_for(lambda: not self._running)
                self._waiting_alone -= 1
                self._alone = True
            else:
                # Those who want to be alone would otherwise wait for ever on a busy host.
                self._changed.wait_for(lambda: not self._alone and not self._waiting_alone)
            self._running += 1
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._alone = self._alone and not alone
                self._changed.notify_all()
