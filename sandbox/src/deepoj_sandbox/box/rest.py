"""A program that sleeps needs no core: others have it, and who wakes up is stopped until there is one."""

import contextlib
import os
import signal
import socket
import time

from deepoj_sandbox.box import wire

# Whoever has been asleep for so long gives its core away.
AFTER_NS = 50_000_000
# How often one that has none is looked at, and what it may have used before it is stopped.
LOOK_NS = 10_000_000
_LEAST_NS = 1_000_000


class Rest:
    def __init__(self, control: socket.socket, *, wanted: bool) -> None:
        self._control = control
        self.wanted = wanted
        self.begun = False
        self._used = self._stopped_at = self._stopped = 0

    def begin(self, used: int) -> None:
        """Tell the host that the program sleeps, by the processor time it has used so far."""
        if self.wanted and not self.begun:
            self.begun, self._used = True, used
            self._control.send(wire.ASLEEP)

    def look(self, used: int) -> bool:
        """Stop it if it woke up; say whether it is stopped."""
        if self.begun and used - self._used >= _LEAST_NS:
            # Again each time: of two processes one may have continued the other before it was stopped itself.
            self._used = used
            _signal_all(signal.SIGSTOP)
            if not self._stopped_at:
                self._stopped_at = time.monotonic_ns()
                self._control.send(wire.AWAKE)
        return bool(self._stopped_at)

    def go_on(self) -> None:
        self._stopped, self._stopped_at, self.begun = self.stopped_ns, 0, False
        _signal_all(signal.SIGCONT)

    @property
    def stopped_ns(self) -> int:
        """For how long it was not allowed to run: none of its own time."""
        return self._stopped + (time.monotonic_ns() - self._stopped_at if self._stopped_at else 0)


def _signal_all(number: signal.Signals) -> None:
    """To all at once: the kernel holds the list of tasks, so nobody forks away from it."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, number)
