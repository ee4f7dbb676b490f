"""The factory: a small process that forks boxes, and nothing else.

It is single-threaded and small because a fork costs what its memory costs. It lives in the boxes' mount
tree already, so a box copies a dozen mounts and not the host's.
"""

import gc
import os
import signal
import socket
import sys

from deepoj_sandbox.box import wire
from deepoj_sandbox.box.confine import confine
from deepoj_sandbox.box.init import Keeper
from deepoj_sandbox.box.layout import WORK, build_root
from deepoj_sandbox.box.scratch import Scratch
from deepoj_sandbox.box.traffic import Traffic
from deepoj_sandbox.cgroups.meter import v1_meter, v2_meter
from deepoj_sandbox.cgroups.polling_meter import PollingMeter
from deepoj_sandbox.cgroups.port import CgroupKind, Meter
from deepoj_sandbox.errors import Steps
from deepoj_sandbox.kernel import descriptors, namespaces, process, rlimits

_INSIDE_USER = 1000


def main(arguments: list[str]) -> None:
    """Arguments: control descriptor, cgroup kind, staging directory, toolchain directories."""
    control = socket.socket(fileno=int(arguments[0]))
    kind = CgroupKind(arguments[1])
    rootless = os.geteuid() != 0
    steps = Steps("start factory")
    try:
        process.die_with_parent()
        steps.now("enter user namespace")
        if rootless:
            _enter_user_namespace()
        steps.now("build root")
        os.umask(0o022)
        own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        namespaces.unshare(namespaces.NEWNS)
        build_root(arguments[2], tuple(arguments[3:]), rootless=rootless)
    except OSError as error:
        control.send(wire.pack_failure(wire.Failure(steps.current, error.errno or 0)))
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps keepers; the host watches pidfds
    control.send(wire.DONE)
    gc.freeze()
    gc.disable()
    _serve(control, own, kind, rootless=rootless)


def _enter_user_namespace() -> None:
    """Become the owner of a user namespace, and PID 1 of a pid namespace it owns.

    Only the owner's pid namespace can be returned to after a box was forked (setns needs CAP_SYS_ADMIN
    over it), so the factory goes on as a child; this process waits for it and passes on its end.
    """
    user, group = os.geteuid(), os.getegid()
    namespaces.unshare(namespaces.NEWUSER | namespaces.NEWPID)
    namespaces.map_single_user(_INSIDE_USER, user, group)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        os._exit(0)
    process.die_with_parent()


def _serve(control: socket.socket, own: int, kind: CgroupKind, *, rootless: bool) -> None:
    buffer = bytearray(wire.MAX_REPLY)
    while True:
        packet, received = descriptors.receive(control, buffer)
        if not packet:
            return
        try:
            child = namespaces.fork_into_new_pid_namespace(own)
        except OSError as error:
            descriptors.close_all(received)
            control.send(wire.pack_failure(wire.Failure("fork keeper", error.errno or 0)))
            continue
        if child == 0:
            os.close(own)
            control.close()
            _keep(wire.unpack_blueprint(packet), received, kind, rootless=rootless)
            os._exit(0)
        descriptors.close_all(received)
        handle = os.pidfd_open(child)
        descriptors.send(control, wire.DONE, (handle,))
        os.close(handle)


def _keep(blueprint: wire.Blueprint, received: list[int], kind: CgroupKind, *, rootless: bool) -> None:
    """The life of one box, from fork to the end of the last run."""
    channel, files = socket.socket(fileno=received[0]), received[1:]
    joins, meters = files[: blueprint.joins], tuple(files[blueprint.joins :])
    steps = Steps("start keeper")
    try:
        app, work, counters = confine(blueprint, joins, rootless=rootless, steps=steps)
    except OSError as error:
        channel.send(wire.pack_failure(wire.Failure(steps.current, error.errno or 0)))
        return
    user, keeper = (_INSIDE_USER,) * 2 if rootless else (blueprint.user, blueprint.keeper)
    scratch = Scratch(WORK, user, keeper)
    worker = Keeper(
        channel,
        _meter(kind, meters, scratch),
        rlimits.SoftLimits(os.uname().machine, blueprint.secret),
        scratch,
        Traffic(counters),
        polls=kind is CgroupKind.NONE,
    )
    descriptors.send(channel, wire.DONE, (app, work))
    descriptors.close_all([app, work])
    worker.serve()


def _meter(kind: CgroupKind, files: tuple[int, ...], scratch: Scratch) -> Meter:
    match kind:
        case CgroupKind.V1:
            return v1_meter(files)
        case CgroupKind.V2:
            return v2_meter(files)
        case CgroupKind.NONE:
            return PollingMeter(scratch.used_bytes)


if __name__ == "__main__":
    main(sys.argv[1:])
