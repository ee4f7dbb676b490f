"""The keeper's side of a cgroup: limits and counters of one run after another, through kept files."""

import os
from collections.abc import Callable

from deepoj_sandbox.cgroups.port import Usage, read_field, read_number, write_number

# Below this the page cache cannot falsify a peak by more than the error we allow.
_WORTH_LOOKING_BYTES = 1 << 20
_NO_LIMIT_BYTES = 1 << 62


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
        self._base = self._oom_kills = self._cache_seen = 0
        self._cpu_base = read_cpu(self._cpu)
        self._oom_text = b""
        self._peak_restarts = self._can_restart_peak()

    def _can_restart_peak(self) -> bool:
        """Try it: version 2 can since Linux 6.12 only.

        Before, a peak is the box's since it was made: an upper bound, exact for the first run of a box.
        """
        try:
            os.pwrite(self._peak, b"0", 0)
        except OSError:
            return False
        return True

    def begin(self, memory_bytes: int, processes: int) -> None:
        # The keeper's own pages and the files put into the box are not the program's.
        self._base = read_number(self._now)
        limits = (self._base + memory_bytes, processes + 1)
        if limits[0] != self._limits[0]:
            write_number(self._limit, limits[0])
        if limits[1] != self._limits[1]:
            write_number(self._pids, limits[1])
        self._limits = limits
        if self._peak_restarts:
            os.pwrite(self._peak, b"0", 0)

    def cpu_ns(self) -> int:
        return self._read_cpu(self._cpu) - self._cpu_base

    def over_memory(self) -> bool:
        return False

    def end(self) -> Usage:
        total = self._read_cpu(self._cpu)
        cpu, self._cpu_base = total - self._cpu_base, total
        kills = self._new_oom_kills()
        if kills:
            self._make_room()
        peak = read_number(self._peak) - self._base
        if peak > _WORTH_LOOKING_BYTES:
            peak -= self._cache_growth()
        return Usage(cpu, max(peak, 0), kills)

    def alone(self) -> bool:
        # A task leaves the count when it is reaped, so one member means: the keeper, and no zombie.
        return os.pread(self._members, 16, 0) == b"1\n"

    def _make_room(self) -> None:
        """Lift the limit: files the program left keep the group full, and the keeper is the next victim."""
        write_number(self._limit, _NO_LIMIT_BYTES)
        self._limits = (_NO_LIMIT_BYTES, self._limits[1])

    def _new_oom_kills(self) -> int:
        text = os.pread(self._oom, 256, 0)
        if text == self._oom_text:
            return 0
        self._oom_text = text
        before, self._oom_kills = self._oom_kills, read_field(self._oom, b"oom_kill")
        return self._oom_kills - before

    def _cache_growth(self) -> int:
        """Page cache charged since last time: memory of the kernel's choosing, not the program's."""
        cache = read_field(self._stat, self._cache_field) - read_field(self._stat, b"shmem")
        growth, self._cache_seen = cache - self._cache_seen, cache
        return max(growth, 0)


def v1_meter(files: tuple[int, ...]) -> FileMeter:
    return FileMeter(files, read_number, b"cache")


def v2_meter(files: tuple[int, ...]) -> FileMeter:
    return FileMeter(files, lambda stat: 1000 * read_field(stat, b"usage_usec"), b"file")
