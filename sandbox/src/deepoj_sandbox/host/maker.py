"""The host's end of the factory."""

import itertools
import secrets
import socket
import subprocess
import sys
import threading
from pathlib import Path

from deepoj_sandbox.box import wire
from deepoj_sandbox.cgroups.port import Group, Hierarchy
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import BoxSpec

_BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from deepoj_sandbox.box.factory import main; main(sys.argv[1:])"
)
_PACKAGES = str(Path(__file__).resolve().parents[2])
_USERS = 500
# An interpreter starts; on a machine that is very busy, or emulated, that takes long.
_START_SECONDS = 60.0
_FORK_SECONDS = 20.0


class Maker:
    """Makes boxes. Create it in a thread that outlives them: the factory dies with that thread."""

    def __init__(
        self, hierarchy: Hierarchy, staging: Path, first_user: int, toolchains: tuple[str, ...] = ()
    ) -> None:
        self.hierarchy = hierarchy
        self._first_user = first_user
        self._free_users = set(range(_USERS))
        self._names = itertools.count()
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(_START_SECONDS)
        with theirs:
            arguments = (_PACKAGES, str(theirs.fileno()), hierarchy.kind, str(staging), *toolchains)
            # -I -S -E: nothing of the caller's environment or site directories reaches a box.
            self._factory = subprocess.Popen(
                [sys.executable, "-I", "-S", "-E", "-c", _BOOT, *arguments],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={},
            )
        try:
            packet, _ = self._receive("start factory")
            _expect_done(packet)
            self._control.settimeout(_FORK_SECONDS)
        except SandboxError:
            self.close()
            raise

    @property
    def factory_pid(self) -> int:
        return self._factory.pid

    def make(self, spec: BoxSpec) -> Box:
        """Make one box, or raise SandboxError and leave nothing behind."""
        with self._lock:
            if not self._free_users:
                raise SandboxError("make box", 0, "too many boxes")
            slot = self._free_users.pop()
            name = f"box-{next(self._names)}"
        try:
            return self._make(spec, slot, name)
        except BaseException:
            self._free_users.add(slot)
            raise

    def _make(self, spec: BoxSpec, slot: int, name: str) -> Box:
        try:
            group = self.hierarchy.create(name)
        except OSError as error:
            raise SandboxError("create cgroup", error.errno or 0) from error
        user = self._first_user + 2 * slot
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                keeper = self._fork(_blueprint(spec, user, group), group, theirs)
        except BaseException:
            ours.close()
            group.remove()
            raise
        box = Box(spec, user, ours, keeper, group, on_close=lambda _: self._free_users.add(slot))
        try:
            box.furnish()
        except BaseException:
            box.close()
            raise
        return box

    def _fork(self, blueprint: wire.Blueprint, group: Group, theirs: socket.socket) -> int:
        passed = (theirs.fileno(), *group.join_files(), *group.meter_files())
        with self._lock:
            try:
                descriptors.send(self._control, wire.pack_blueprint(blueprint), passed)
            except OSError as error:
                raise SandboxError("ask factory", error.errno or 0) from error
            packet, received = self._receive("fork keeper")
        _expect_done(packet)
        return received[0]

    def _receive(self, step: str) -> tuple[bytes, list[int]]:
        try:
            packet, received = descriptors.receive(self._control, bytearray(wire.MAX_REPLY))
        except TimeoutError as error:
            raise SandboxError(step, 0, f"no answer within {self._control.gettimeout():g} seconds") from error
        except OSError as error:
            raise SandboxError(step, error.errno or 0) from error
        if not packet:
            raise SandboxError(step, 0, "the factory died")
        return packet, received

    def close(self) -> None:
        """End the factory, and with it every box it made."""
        self._control.close()
        self._factory.kill()
        self._factory.wait()


def _blueprint(spec: BoxSpec, user: int, group: Group) -> wire.Blueprint:
    return wire.Blueprint(
        user=user,
        keeper=user + 1,
        scratch_bytes=spec.scratch_bytes,
        scratch_inodes=spec.scratch_inodes,
        app_bytes=spec.app_bytes,
        open_files=spec.open_files,
        joins=len(group.join_files()),
        secret=secrets.randbits(64),
    )


def _expect_done(packet: bytes) -> None:
    reply = wire.unpack_reply(packet)
    if isinstance(reply, wire.Failure):
        raise SandboxError(reply.step, reply.code)
