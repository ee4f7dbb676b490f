"""How well boxes isolate here, for this user: asked of a box, by the sandbox's own check."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass

PATIENCE = 60.0
REMEDY = (
    "run Deep-OJ as root, or in a cgroup version 2 subtree with the memory and pids controllers "
    "that belongs to this user (systemd-run --user --scope -p Delegate=yes ./deepoj up)"
)


@dataclass(frozen=True, slots=True)
class Isolation:
    sufficient: bool
    cgroup: str
    """Version of the cgroups that count and limit; "none" when the sandbox polls."""
    degraded: tuple[str, ...]
    problem: str = ""
    """Why no box can be made."""


def probe_isolation() -> Isolation:
    command = [sys.executable, "-m", "deepoj_sandbox", "selfcheck", "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
        report = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        return Isolation(sufficient=False, cgroup="none", degraded=(), problem=str(error))
    return Isolation(
        sufficient=bool(report["sufficient"]),
        cgroup=str(report.get("cgroup", "none")),
        degraded=tuple(map(str, report.get("degraded", ()))),
        problem=str(report.get("detail", "" if report["sufficient"] else "a required layer does not hold")),
    )
