"""Whether a program only sleeps: it needs no processor, and nobody else gets its box."""

import fcntl
import termios
import time
from collections.abc import Sequence

from deepoj_sandbox.box import rest
from deepoj_sandbox.cgroups.polling_meter import thread_states

# Whoever computes less in all the time allowed does nothing.
_LEAST_NS = 10_000_000
# Waiting for a processor or a disk is not the program's fault.
_AWAKE = frozenset(b"RD")
_LOOKS = 4


class Idleness:
    def __init__(self, longest_ns: int, start: int, outputs: Sequence[int], resting: rest.Rest) -> None:
        """`longest_ns` of 0: it may sleep. `outputs` are the pipes that the host has to empty."""
        self._longest = longest_ns
        self._outputs = outputs
        self._rest = resting
        self._looked = start
        self._slept = self._used = 0

    @property
    def pause_ns(self) -> int:
        """Until the next look is due; zero: none is needed."""
        return min(self._step_ns, rest.LOOK_NS) if self._rest.begun else self._step_ns

    @property
    def _step_ns(self) -> int:
        """What one look can say: it may be late by any time on a busy machine."""
        step = self._longest // _LOOKS
        return min(step, rest.AFTER_NS // 2) if self._rest.wanted and not self._rest.begun else step

    def is_over(self, used: int) -> bool:
        """Say whether it has slept for too long, by the processor time it has used so far."""
        if not self._longest:
            return False
        now = time.monotonic_ns()
        if self._rest.look(used):
            self._looked, self._used, self._slept = now, used, 0
            return False
        if self._rest.begun and now - self._looked < self._step_ns:
            return False
        if used - self._used >= _LEAST_NS or self._is_awake():
            self._used, self._slept = used, 0
        else:
            self._slept += min(now - self._looked, self._step_ns)
        self._looked = now
        if self._slept >= rest.AFTER_NS:
            self._rest.begin(used)
        return self._slept >= self._longest

    def _is_awake(self) -> bool:
        """Look at the pipes on both sides: they are emptied and filled while the threads are looked at."""
        return self._waits_for_host() or not _AWAKE.isdisjoint(thread_states()) or self._waits_for_host()

    def _waits_for_host(self) -> bool:
        """Whoever writes to a pipe that we do not empty sleeps, and it is not their fault."""
        return any(map(_held, self._outputs))


def _held(pipe: int) -> int:
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), "little")
