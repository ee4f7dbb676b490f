"""The keeper's side of a cgroup: limits and counters of one run after another, through kept files."""

import os
import socket
import time
from collections.abc import Callable

from deepoj_sandbox.cgroups.port import Usage, read_field, read_number, write_number

# The keeper's own pages grow by less, and the page cache may falsify a peak by this much.
_DRIFT_BYTES = 1 << 20
# The kernel charges 64 pages at a time and keeps what is left of them with each processor. It takes them
# back before a limit is met, so they matter only to who looks.
_NOISE_BYTES = _DRIFT_BYTES + (os.cpu_count() or 1) * (256 << 10)
_NO_LIMIT = 1 << 60
_PAUSE_NS = 10_000_000
_PATIENCE_SECONDS = 0.5
_NAP_SECONDS = 0.001


class FileMeter:
    """Both versions have the same eight files under other names; order as in `Group.meter_files`.

    This code runs before and after every run: it reads each file once and parses only what changed.
    """

    def __init__(self, files: tuple[int, ...], read_cpu: Callable[[int], int], cache_field: bytes) -> None:
        self._cpu, self._now, self._peak, self._limit, self._oom, self._stat, self._pids, self._members = (
            files
        )
        self._read_cpu = read_cpu
        self._cache_field = cache_field
        self._limits = (0, 0)
        self._clean = self._looked = self._held = 0
        self._start = self._sampled = self._peak_before = self._oom_kills = self._cache_seen = 0
        self._cpu_base = read_cpu(self._cpu)
        self._oom_text = b""
        self._peak_restarts = self._can_restart_peak()
        self.pause_ns = 0 if self._peak_restarts else _PAUSE_NS

    def _can_restart_peak(self) -> bool:
        """Try it: version 2 can since Linux 6.12 only, and keeps none before 5.19."""
        try:
            os.pwrite(self._peak, b"0", 0)
        except OSError:
            return False
        return True

    def begin(self, memory_bytes: int, processes: int, kept_bytes: int = 0) -> None:
        now = read_number(self._now)
        if not self._clean:
            # Nothing ran yet: this is the keeper. It is the base of every limit and never moves, so that
            # memory an earlier run left behind, however it did that, is not forgiven to a later one.
            self._clean = self._looked = now
        if abs(now - self._looked) > _NOISE_BYTES:
            now = self._look(kept_bytes)
        self._start, self._sampled = now - self._held, now
        limits = (self._clean + _DRIFT_BYTES + memory_bytes, processes + 1)
        if limits[0] != self._limits[0]:
            write_number(self._limit, limits[0])
        if limits[1] != self._limits[1]:
            write_number(self._pids, limits[1])
        self._limits = limits
        if self._peak_restarts:
            os.pwrite(self._peak, b"0", 0)
        else:
            self._peak_before = read_number(self._peak)

    def _look(self, kept_bytes: int) -> int:
        """Find what is held of memory that is not page cache, once the kernel had time to free it.

        It may need a push: files in messages that nobody can receive any more are freed when a unix socket
        is closed.
        """
        give_up = time.monotonic() + _PATIENCE_SECONDS
        while True:
            now = self._looked = read_number(self._now)
            self._cache_seen = self._cache()
            held = now - self._cache_seen - self._clean
            if held - kept_bytes <= _NOISE_BYTES or time.monotonic() > give_up:
                self._held = held if held > _NOISE_BYTES else 0
                return now
            for end in socket.socketpair():
                end.close()
            time.sleep(_NAP_SECONDS)

    def cpu_ns(self) -> int:
        return self._read_cpu(self._cpu) - self._cpu_base

    def over_memory(self) -> bool:
        if self.pause_ns:
            self._sampled = max(self._sampled, read_number(self._now))
        return False

    def end(self) -> Usage:
        total = self._read_cpu(self._cpu)
        cpu, self._cpu_base = total - self._cpu_base, total
        kills = self._new_oom_kills()
        peak = self._highest() - self._start
        if peak > _DRIFT_BYTES:
            peak -= self._cache_growth()
        return Usage(cpu, max(peak, 0), kills)

    def relax(self) -> None:
        write_number(self._limit, _NO_LIMIT)
        self._limits = (_NO_LIMIT, self._limits[1])

    def alone(self) -> bool:
        # A task leaves the count when it is reaped, so one member means: the keeper, and no zombie.
        return os.pread(self._members, 16, 0) == b"1\n"

    def _new_oom_kills(self) -> int:
        text = os.pread(self._oom, 256, 0)
        if text == self._oom_text:
            return 0
        self._oom_text = text
        before, self._oom_kills = self._oom_kills, read_field(self._oom, b"oom_kill")
        return self._oom_kills - before

    def _highest(self) -> int:
        """The peak of this run; where it cannot be restarted, exact if this run raised it, else as seen."""
        peak = read_number(self._peak)
        if self._peak_restarts or peak > max(self._peak_before, self._sampled):
            return peak
        return max(self._sampled, read_number(self._now))

    def _cache(self) -> int:
        """Page cache: memory of the kernel's choosing, not the program's, and freed before a limit is met."""
        return read_field(self._stat, self._cache_field) - read_field(self._stat, b"shmem")

    def _cache_growth(self) -> int:
        before, self._cache_seen = self._cache_seen, self._cache()
        return max(self._cache_seen - before, 0)


def v1_meter(files: tuple[int, ...]) -> FileMeter:
    return FileMeter(files, read_number, b"cache")


def v2_meter(files: tuple[int, ...]) -> FileMeter:
    return FileMeter(files, lambda stat: 1000 * read_field(stat, b"usage_usec"), b"file")
