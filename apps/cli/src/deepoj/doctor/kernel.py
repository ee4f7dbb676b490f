"""Kernel features that the stack and the sandbox stand on, tried rather than looked up where possible."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from deepoj.doctor.finding import Finding, finding
from deepoj.isolation import REMEDY, probe_isolation

GROUP = "kernel"
OLDEST = (5, 4)
CLONE_FLAGS = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x08000000,
}
# In a process of its own: one that has threads cannot enter a user namespace.
_UNSHARE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.unshare(int(sys.argv[1])) == 0 else os.strerror(ctypes.get_errno()))
"""


def kernel_findings() -> list[Finding]:
    return [_version(), _pidfd(), *_namespaces(), _seccomp(), *_isolation()]


def _version() -> Finding:
    release = platform.release()
    numbers = tuple(int(part) for part in re.findall(r"\d+", release)[:2])
    remedy = f"install Linux {OLDEST[0]}.{OLDEST[1]} or newer"
    return finding(GROUP, "version", release, good=numbers >= OLDEST, remedy=remedy)


def _pidfd() -> Finding:
    if not hasattr(os, "pidfd_open"):
        return finding(GROUP, "pidfd", "not in this Python", good=False, remedy="see python below")
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        said = error.strerror or str(error)
        return finding(GROUP, "pidfd", said, good=False, remedy="install Linux 5.4 or newer")
    return finding(GROUP, "pidfd", "available", good=True, remedy="")


def _namespaces() -> list[Finding]:
    user = _unshare(CLONE_FLAGS["user"])
    every = _unshare(sum(CLONE_FLAGS.values()))
    return [
        finding(
            GROUP,
            "user namespaces",
            user or "available",
            good=not user,
            remedy="run sysctl user.max_user_namespaces=15000, and where the keys exist "
            "kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        finding(
            GROUP,
            "sandbox namespaces",
            every or ", ".join(CLONE_FLAGS),
            good=not every,
            remedy="allow mount, pid, net and ipc namespaces to this user (a container needs them granted)",
        ),
    ]


def _unshare(flags: int) -> str:
    """Return why the namespaces cannot be made; empty when they can."""
    command = [sys.executable, "-I", "-S", "-c", _UNSHARE, str(flags)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stderr.strip() or f"exit code {done.returncode}"


def _seccomp() -> Finding:
    actions = Path("/proc/sys/kernel/seccomp/actions_avail")
    found = actions.read_text().strip() if actions.exists() else "not in this kernel"
    remedy = "use a kernel with CONFIG_SECCOMP_FILTER, as every distribution's has"
    return finding(GROUP, "seccomp", found, good="kill_process" in found, remedy=remedy)


def _isolation() -> list[Finding]:
    """Make a box and look: the files of a controller may be there and not be this user's."""
    found = probe_isolation()
    whole = "; ".join(found.degraded) or "every layer holds"
    return [
        finding(
            GROUP,
            "sandbox",
            found.problem or whole,
            good=found.sufficient,
            remedy="see docs/sandbox.md, and python -m deepoj_sandbox selfcheck",
        ),
        finding(
            GROUP,
            "isolation",
            whole,
            good=found.sufficient and not found.degraded,
            remedy=REMEDY,
            required=False,
        ),
        finding(
            GROUP,
            "cgroups",
            found.cgroup if found.cgroup != "none" else "none that this user may use",
            good=found.cgroup != "none",
            remedy="as for isolation; without them memory and time are policed by looking now and then",
            required=False,
        ),
    ]
