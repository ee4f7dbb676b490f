"""From a fresh fork to a process that can do nothing but keep its box."""

import os
import resource
import signal
import socket

from deepoj_sandbox.box.layout import furnish
from deepoj_sandbox.box.traffic import open_counters
from deepoj_sandbox.box.wire import Blueprint
from deepoj_sandbox.errors import Steps
from deepoj_sandbox.kernel import namespaces, process, rlimits, seccomp

_HARD_LIMITS = {
    # Zero would still start a core_pattern helper on the host; one is the kernel's "never".
    resource.RLIMIT_CORE: 1,
    resource.RLIMIT_MEMLOCK: 64 << 10,
    resource.RLIMIT_MSGQUEUE: 0,
    resource.RLIMIT_RTPRIO: 0,
    resource.RLIMIT_NICE: 0,
    resource.RLIMIT_SIGPENDING: 1024,
}


def confine(blueprint: Blueprint, joins: list[int], *, rootless: bool, steps: Steps) -> tuple[int, int, int]:
    """Enter the box for good. Order matters: each step needs a privilege a later one gives up.

    Returns two directories for the host, and the counters of this process.
    """
    steps.now("join cgroup")
    for descriptor in joins:
        os.write(descriptor, b"0")
        os.close(descriptor)
    steps.now("unshare namespaces")
    namespaces.unshare(namespaces.BOX_FLAGS)
    socket.sethostname("box")
    steps.now("mount box")
    directories = furnish(blueprint, rootless=rootless)
    # Later this process may not open them any more.
    counters = open_counters()
    os.chdir("/box")
    steps.now("rlimits")
    for kind, value in _HARD_LIMITS.items():
        resource.setrlimit(kind, (min(value, _hard(kind)),) * 2)
    files = min(blueprint.open_files, _hard(resource.RLIMIT_NOFILE))
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    steps.now("drop privileges")
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    process.drop_capability_bounds()
    if not rootless:
        process.become(blueprint.user, blueprint.user, blueprint.keeper, blueprint.keeper)
    process.drop_capabilities()
    process.forbid_new_privileges()
    process.forbid_dumping()
    process.die_with_parent()
    steps.now("seccomp")
    seccomp.install(seccomp.program(blueprint.secret, charged=bool(joins)))
    return *directories, counters


def _hard(kind: int) -> int:
    return resource.getrlimit(kind)[1] & rlimits.UNLIMITED
