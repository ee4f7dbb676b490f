"""Which hierarchy this process can use, best first."""

import contextlib
import os
from pathlib import Path

from deepoj_sandbox.cgroups import v1, v2
from deepoj_sandbox.cgroups.none import NoHierarchy
from deepoj_sandbox.cgroups.port import CgroupKind, Hierarchy
from deepoj_sandbox.kernel.mounts import mounted


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


def v1_mounts() -> dict[str, Path]:
    """Mount point of each controller we need, or nothing when one is missing."""
    mounts = {}
    for each in mounted():
        if each.kind == "cgroup":
            for controller in set(v1.CONTROLLERS) & set(each.options.split(",")):
                mounts[controller] = Path(each.point)
    return mounts if set(mounts) == set(v1.CONTROLLERS) else {}


def v2_parents() -> list[Path]:
    """Places where a subtree may be ours: our own group (delegation), then the visible root."""
    points = [Path(each.point) for each in mounted() if each.kind == "cgroup2"]
    if not points:
        return []
    own = ""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if line.startswith("0::/"):
            own = line[4:]
    group = points[0] / own
    # An agent before us moved the subtree's processes to a leaf, us too.
    subtree = group.parent if group.name == v2.LEAF else group
    candidates = dict.fromkeys((subtree, group, points[0]))
    return [path for path in candidates if _usable(path)]


def _usable(group: Path) -> bool:
    try:
        present = (group / "cgroup.controllers").read_text().split()
    except OSError:
        return False
    return set(v2.CONTROLLERS) <= set(present) and os.access(group, os.W_OK)
