"""cgroup version 1: one directory a controller."""

import contextlib
import os
from pathlib import Path

from deepoj_sandbox.cgroups.directories import OpenFiles, remove_group, remove_tree
from deepoj_sandbox.cgroups.port import CgroupKind, read_field

CONTROLLERS = ("memory", "pids", "cpuacct")


class V1Group:
    def __init__(self, directories: dict[str, Path]) -> None:
        """`directories` exist, one for each controller."""
        self._directories = directories
        self._files = OpenFiles()
        memory, pids, cpu = (directories[name] for name in CONTROLLERS)
        with contextlib.suppress(OSError):  # no such file without swap accounting
            (memory / "memory.swappiness").write_text("0")
        self._join = sum((self._files.add(d, ("tasks", os.O_WRONLY)) for d in directories.values()), ())
        self._meter = (
            self._files.add(cpu, ("cpuacct.usage", os.O_RDONLY))
            + self._files.add(
                memory,
                ("memory.usage_in_bytes", os.O_RDONLY),
                ("memory.max_usage_in_bytes", os.O_RDWR),
                ("memory.limit_in_bytes", os.O_WRONLY),
                ("memory.oom_control", os.O_RDONLY),
                ("memory.stat", os.O_RDONLY),
            )
            + self._files.add(pids, ("pids.max", os.O_WRONLY), ("pids.current", os.O_RDONLY))
        )

    def join_files(self) -> tuple[int, ...]:
        return self._join

    def meter_files(self) -> tuple[int, ...]:
        return self._meter

    def oom_kills(self) -> int:
        return read_field(self._meter[4], b"oom_kill")

    def remove(self) -> None:
        self._files.close()
        for directory in self._directories.values():
            remove_group(directory)


class V1Hierarchy:
    kind = CgroupKind.V1

    def __init__(self, mounts: dict[str, Path], name: str) -> None:
        self._roots = {controller: mounts[controller] / name for controller in CONTROLLERS}
        for root in self._roots.values():
            root.mkdir(exist_ok=True)

    def create(self, name: str) -> V1Group:
        directories = {controller: root / name for controller, root in self._roots.items()}
        for directory in directories.values():
            directory.mkdir()
        return V1Group(directories)

    def roots(self) -> tuple[str, ...]:
        return tuple(map(str, self._roots.values()))

    def remove(self) -> None:
        for root in self._roots.values():
            remove_tree(root)
