"""No cgroup at all: the keeper counts by itself. Degraded, and reported as such.

What is lost: memory between two looks, a precise sum for processes that were born and reaped by a
sibling between two looks, a limit on the whole box's memory that holds at every instant.
"""

import contextlib
import os
import resource
import time

from deepoj_sandbox.cgroups.port import Usage

_PAGE = os.sysconf("SC_PAGE_SIZE")
_KEEPER = 1


def _processes() -> list[int]:
    with os.scandir("/proc") as entries:
        return [int(each.name) for each in entries if each.name.isdigit() and int(each.name) != _KEEPER]


def process_cpu_ns(process: int) -> int:
    """All threads of one process; the clock id is built as clock_getcpuclockid(3) does."""
    try:
        return time.clock_gettime_ns((~process << 3) | 2)
    except OSError:
        return 0


def _resident_bytes(process: int) -> int:
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{process}/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return int(os.read(descriptor, 128).split()[1]) * _PAGE
        finally:
            os.close(descriptor)
    return 0


def _reaped_ns() -> int:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((usage.ru_utime + usage.ru_stime) * 1e9)


class PollingMeter:
    def __init__(self) -> None:
        self._limit = 0
        self._peak = 0
        self._cpu = 0
        self._reaped = 0
        self._own = time.process_time_ns()

    def begin(self, memory_bytes: int, processes: int) -> None:  # noqa: ARG002 -- RLIMIT_NPROC holds it
        self._limit = memory_bytes
        self._peak = self._cpu = 0
        self._reaped = _reaped_ns()

    def cpu_ns(self) -> int:
        running = sum(map(process_cpu_ns, _processes()))
        self._cpu = max(self._cpu, running + _reaped_ns() - self._reaped)
        # A cgroup would have counted the keeper as well, and who asks takes that off.
        return self._cpu + time.process_time_ns() - self._own

    def over_memory(self) -> bool:
        self._peak = max(self._peak, sum(map(_resident_bytes, _processes())))
        return self._peak > self._limit

    def alone(self) -> bool:
        return False

    def end(self) -> Usage:
        usage = Usage(self.cpu_ns(), self._peak, 0)
        self._own = time.process_time_ns()
        return usage
