"""Which hierarchy this process can use, best first."""

import contextlib
import os
from pathlib import Path

from deepoj_sandbox.cgroups import v1, v2
from deepoj_sandbox.cgroups.none import NoHierarchy
from deepoj_sandbox.cgroups.port import CgroupKind, Hierarchy


def open_hierarchy(name: str, wanted: CgroupKind | None = None) -> Hierarchy:
    """Use the hierarchy asked for, or the best that works."""
    if wanted is CgroupKind.NONE:
        return NoHierarchy()
    if wanted in (None, CgroupKind.V1):
        mounts = v1_mounts()
        if mounts and all(os.access(path, os.W_OK) for path in mounts.values()):
            return v1.V1Hierarchy(mounts, name)
    if wanted in (None, CgroupKind.V2):
        for parent in v2_parents():
            with contextlib.suppress(OSError):
                return v2.V2Hierarchy(parent, name)
    if wanted is not None:
        raise OSError(95, f"cgroup {wanted} cannot be used here")
    return NoHierarchy()


def _mounts() -> list[tuple[str, str, Path]]:
    """File-system type, super options and mount point of every mount."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        found.append((kind, options, Path(before.split(" ")[4])))
    return found


def v1_mounts() -> dict[str, Path]:
    """Mount point of each controller we need, or nothing when one is missing."""
    mounts = {}
    for kind, options, point in _mounts():
        if kind == "cgroup":
            for controller in set(v1.CONTROLLERS) & set(options.split(",")):
                mounts[controller] = point
    return mounts if set(mounts) == set(v1.CONTROLLERS) else {}


def v2_parents() -> list[Path]:
    """Places where a subtree may be ours: our own group (delegation), then the visible root."""
    points = [point for kind, _, point in _mounts() if kind == "cgroup2"]
    if not points:
        return []
    own = ""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::/"):
            own = line[4:]
    candidates = dict.fromkeys((points[0] / own, points[0]))
    return [path for path in candidates if _usable(path)]


def _usable(group: Path) -> bool:
    try:
        present = (group / "cgroup.controllers").read_text().split()
    except OSError:
        return False
    return set(v2.CONTROLLERS) <= set(present) and os.access(group, os.W_OK)
