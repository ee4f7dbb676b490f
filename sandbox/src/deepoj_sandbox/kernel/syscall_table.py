"""System calls a program may make, by purpose. What is not here is refused.

Left out on purpose, beside the obvious (mount, ptrace, bpf, keyctl, unshare, clock_settime …):
sockets of every family, System V and POSIX IPC (its memory outlives the process), io_uring and aio,
userfaultfd, inotify/fanotify, sched_setaffinity (a pinned run must stay pinned), sync (stalls the host).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from deepoj_sandbox.kernel import calls_aarch64, calls_x86_64


@dataclass(frozen=True, slots=True)
class SystemCalls:
    audit_arch: int
    allowed: Mapping[str, int]
    decided: Mapping[str, int]
    """By their arguments; and the one that installs the filter."""
    last_old: int
    """Above it a program expects ENOSYS for what it may not have."""


TABLES: Final[Mapping[str, SystemCalls]] = {
    name: SystemCalls(module.AUDIT_ARCH, module.ALLOWED, module.DECIDED, module.LAST_OLD)
    for name, module in (("x86_64", calls_x86_64), ("aarch64", calls_aarch64))
}

# The same numbers on both.
FILE_CONTROLS: Final = {
    "F_DUPFD": 0, "F_GETFD": 1, "F_SETFD": 2, "F_GETFL": 3, "F_SETFL": 4, "F_GETLK": 5, "F_GETOWN": 9,
    "F_GETSIG": 11, "F_GETOWN_EX": 16, "F_OFD_GETLK": 36, "F_GETLEASE": 1025, "F_DUPFD_CLOEXEC": 1030,
    "F_SETPIPE_SZ": 1031, "F_GETPIPE_SZ": 1032, "F_ADD_SEALS": 1033, "F_GET_SEALS": 1034,
}  # fmt: skip
LOCK_CONTROLS: Final = {"F_SETLK": 6, "F_SETLKW": 7, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
