"""Kernel features that the stack and the sandbox stand on, tried rather than looked up where possible."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from deepoj.doctor.finding import Finding, finding

GROUP = "kernel"
OLDEST = (5, 4)
CLONE_FLAGS = {
    "user": 0x10000000,
    "mount": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x08000000,
}
CONTROLLERS = ("cpu", "memory", "pids")
CGROUPS = Path("/sys/fs/cgroup")
# In a process of its own: one that has threads cannot enter a user namespace.
_UNSHARE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
sys.exit(0 if libc.unshare(int(sys.argv[1])) == 0 else os.strerror(ctypes.get_errno()))
"""


def kernel_findings() -> list[Finding]:
    return [_version(), _pidfd(), *_namespaces(), _seccomp(), _cgroups()]


def _version() -> Finding:
    release = platform.release()
    numbers = tuple(int(part) for part in re.findall(r"\d+", release)[:2])
    remedy = f"install Linux {OLDEST[0]}.{OLDEST[1]} or newer"
    return finding(GROUP, "version", release, good=numbers >= OLDEST, remedy=remedy)


def _pidfd() -> Finding:
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


def _cgroups() -> Finding:
    unified = CGROUPS / "cgroup.controllers"
    version = "v2" if unified.exists() else "v1"
    present = unified.read_text().split() if unified.exists() else _v1_controllers()
    missing = [name for name in CONTROLLERS if name not in present]
    found = f"{version}: {', '.join(name for name in CONTROLLERS if name in present) or 'no controller'}"
    remedy = f"enable the controllers {', '.join(missing)}; without them limits are less exact"
    return finding(GROUP, "cgroups", found, good=not missing, remedy=remedy, required=False)


def _v1_controllers() -> list[str]:
    return [entry.name for entry in CGROUPS.iterdir()] if CGROUPS.is_dir() else []
