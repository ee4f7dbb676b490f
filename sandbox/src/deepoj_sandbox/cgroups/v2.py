"""cgroup version 2: one directory a group, inside a subtree delegated to us."""

import contextlib
import os
from pathlib import Path

from deepoj_sandbox.cgroups.directories import OpenFiles, remove_group, remove_tree
from deepoj_sandbox.cgroups.port import CgroupKind, read_field

CONTROLLERS = ("memory", "pids")
# Where the processes of a delegated subtree go; who is started there later is in it from the beginning.
LEAF = "supervisor"


class V2Group:
    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files = OpenFiles()
        with contextlib.suppress(OSError):  # no such file without swap
            (directory / "memory.swap.max").write_text("0")
        self._join = self._files.add(directory, ("cgroup.procs", os.O_WRONLY))
        self._meter = self._files.add(
            directory,
            ("cpu.stat", os.O_RDONLY),
            ("memory.current", os.O_RDONLY),
            _peak_file(directory),
            ("memory.max", os.O_WRONLY),
            ("memory.events", os.O_RDONLY),
            ("memory.stat", os.O_RDONLY),
            ("pids.max", os.O_WRONLY),
            ("pids.current", os.O_RDONLY),
        )

    def join_files(self) -> tuple[int, ...]:
        return self._join

    def meter_files(self) -> tuple[int, ...]:
        return self._meter

    def oom_kills(self) -> int:
        return read_field(self._meter[4], b"oom_kill")

    def remove(self) -> None:
        self._files.close()
        remove_group(self._directory)


def _peak_file(directory: Path) -> tuple[str, int]:
    """Choose the file of the peak: it came with Linux 5.19, and can be written, to restart it, since 6.12."""
    peak = directory / "memory.peak"
    if not peak.exists():
        return "memory.current", os.O_RDONLY
    return peak.name, os.O_RDWR if os.access(peak, os.W_OK) else os.O_RDONLY


class V2Hierarchy:
    kind = CgroupKind.V2

    def __init__(self, parent: Path, name: str) -> None:
        """Make `name` below `parent` with the controllers a box needs."""
        enable_controllers(parent)
        self._root = parent / name
        self._root.mkdir(exist_ok=True)
        enable_controllers(self._root)

    def create(self, name: str) -> V2Group:
        directory = self._root / name
        directory.mkdir()
        return V2Group(directory)

    def roots(self) -> tuple[str, ...]:
        return (str(self._root),)

    def remove(self) -> None:
        remove_tree(self._root)


def enable_controllers(group: Path) -> None:
    """Let children of `group` have our controllers.

    A group with processes of its own may not (EBUSY): they move to a leaf, as systemd asks of the
    owner of a delegated subtree.
    """
    wanted = " ".join(f"+{name}" for name in CONTROLLERS)
    control = group / "cgroup.subtree_control"
    if set(CONTROLLERS) <= set(control.read_text().split()):
        return
    try:
        control.write_text(wanted)
    except OSError:
        leaf = group / LEAF
        leaf.mkdir(exist_ok=True)
        for process in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(ProcessLookupError):
                (leaf / "cgroup.procs").write_text(process)
        control.write_text(wanted)
