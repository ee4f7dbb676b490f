"""No cgroup at all: the keeper counts by itself. Degraded, and reported as such.

What is lost: memory between two looks, processor time of children that live shorter than that and whose
parent does not want to know of their end, and what kernel buffers hold (pipes and socket pairs, bounded by
the limits on descriptors and processes).
"""

import contextlib
import os
import resource
import time
from collections.abc import Callable

from deepoj_sandbox.cgroups.port import Usage

_KEEPER = 1
_TICK_NS = 1_000_000_000 // os.sysconf("SC_CLK_TCK")
# Resident, and the page tables themselves: reading untouched memory makes these and no resident page.
_HOLDINGS = (b"\nVmRSS:", b"\nVmPTE:", b"\nVmSwap:")


def _processes() -> list[int]:
    with os.scandir("/proc") as entries:
        return [int(each.name) for each in entries if each.name.isdigit() and int(each.name) != _KEEPER]


def process_cpu_ns(process: int) -> int:
    """All threads of one process; the clock id is built as clock_getcpuclockid(3) does."""
    try:
        return time.clock_gettime_ns((~process << 3) | 2)
    except OSError:
        return 0


def _read(process: int, name: str) -> bytes:
    with contextlib.suppress(OSError):
        descriptor = os.open(f"/proc/{process}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        try:
            return os.read(descriptor, 4096)
        finally:
            os.close(descriptor)
    return b""


def thread_states() -> bytes:
    """Return a letter for each thread of the box but the keeper's: R, S, D and so on, as proc(5) has them."""
    stats = (_read(each, f"task/{thread}/stat") for each in _processes() for thread in _threads(each))
    return b"".join(stat.rpartition(b") ")[2][:1] for stat in stats)


def _threads(process: int) -> list[str]:
    try:
        with os.scandir(f"/proc/{process}/task") as entries:
            return [each.name for each in entries]
    except OSError:
        return []


def shared_bytes(process: int) -> int:
    """What it maps of files, its own program among them."""
    words = _read(process, "statm").split()
    return int(words[2]) * resource.getpagesize() if words else 0


def _held_bytes(process: int) -> int:
    status = _read(process, "status")
    found = [status.find(name) for name in _HOLDINGS]
    return sum(int(status[at:].split(None, 2)[1]) * 1024 for at in found if at >= 0)


def _childrens_ns(process: int) -> int:
    """Time of the children it waited for. A name may hold anything, so count from its last parenthesis."""
    words = _read(process, "stat").rpartition(b")")[2].split()
    return (int(words[13]) + int(words[14])) * _TICK_NS if words else 0


def _reaped_ns() -> int:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return int((usage.ru_utime + usage.ru_stime) * 1e9)


class PollingMeter:
    pause_ns = 10_000_000

    def __init__(self, scratch_bytes: Callable[[], int]) -> None:
        self._scratch_bytes = scratch_bytes
        self._limit = self._peak = self._cpu = self._reaped = 0
        self._clocks: dict[int, int] = {}
        self._own = time.process_time_ns()

    def begin(self, memory_bytes: int, processes: int, kept_bytes: int = 0) -> None:  # noqa: ARG002 -- RLIMIT_NPROC, and scratch is counted at each look
        self._limit = memory_bytes
        self._peak = self._cpu = 0
        self._clocks = {}
        self._reaped = _reaped_ns()

    def cpu_ns(self) -> int:
        waited = _reaped_ns() - self._reaped
        for process in _processes():
            waited += _childrens_ns(process)
            self._clocks[process] = max(self._clocks.get(process, 0), process_cpu_ns(process))
            waited += self._clocks[process]
        # Those that vanished without being waited for are counted as they were last seen.
        self._cpu = max(self._cpu, waited, sum(self._clocks.values()))
        # A cgroup would have counted the keeper as well, and who asks takes that off.
        return self._cpu + time.process_time_ns() - self._own

    def over_memory(self) -> bool:
        held = sum(map(_held_bytes, _processes())) + self._scratch_bytes()
        self._peak = max(self._peak, held)
        return self._peak > self._limit

    def relax(self) -> None:
        pass

    def alone(self) -> bool:
        return False

    def end(self) -> Usage:
        self._peak = max(self._peak, self._scratch_bytes())
        usage = Usage(self.cpu_ns(), self._peak, 0)
        self._own = time.process_time_ns()
        return usage
