"""One box as the host holds it: a control socket, a pidfd, two directories and a cgroup."""

import os
import select
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deepoj_sandbox.box import wire
from deepoj_sandbox.cgroups.port import Group
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.streams import Pipes
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import BoxSpec, RunRequest

_DEATH_PATIENCE_MS = 10_000
_REPLY_PATIENCE_MS = 10_000


@dataclass(slots=True)
class Box:
    spec: BoxSpec
    user: int
    control: socket.socket
    keeper: int
    """Its pidfd; -1 where another process owns the box."""
    group: Group
    on_close: Callable[["Box"], None]
    # Writable directories of the box, valid for the host only.
    app: int = -1
    work: int = -1
    pipes: Pipes = field(default_factory=Pipes)
    oom_seen: int = 0
    _pinned: int | None = None
    _last: tuple[RunRequest, tuple[bool, bool, bool], bytes] | None = None
    # Something ran here since the scratch directory was last known to be empty.
    dirty: bool = False
    closed: bool = False
    _poller: select.poll = field(init=False)

    def __post_init__(self) -> None:
        self._poller = select.poll()
        self._poller.register(self.control, select.POLLIN)

    def answers_within(self, timeout_ms: int) -> bool:
        """Wait for the keeper to say something, or to die."""
        return bool(self._poller.poll(timeout_ms))

    @property
    def keeper_pid(self) -> int:
        """The keeper as this process sees it: the factory may live in another pid namespace."""
        text = Path(f"/proc/self/fdinfo/{self.keeper}").read_text()
        return int(text.split("Pid:")[1].split()[0])

    def furnish(self) -> None:
        """Wait for the keeper to have confined itself; take its two directories."""
        if not self.answers_within(_REPLY_PATIENCE_MS):
            raise SandboxError("start keeper", 0, "the keeper does not answer")
        packet, received = descriptors.receive(self.control, bytearray(wire.MAX_REPLY))
        if received:
            self.app, self.work = received
            return
        reply = wire.unpack_reply(packet) if packet else wire.Failure("keeper died", 0)
        if isinstance(reply, wire.Failure):
            raise SandboxError(reply.step, reply.code)

    def packed(self, request: RunRequest, pack: Callable[..., bytes], *, talks: bool, rests: bool) -> bytes:
        """The order for a run of `request`; packed once for the many cases of one submission."""
        reset = self.dirty and not request.keep_scratch
        kind = (reset, talks, rests)
        if self._last is None or self._last[0] is not request or self._last[1] != kind:
            packet = pack(request, self._pin(request.pin_cpu), reset=reset, talks=talks, rests=rests)
            self._last = (request, kind, packet)
        return self._last[2]

    def _pin(self, cpu: int | None) -> int:
        """Choose the processors of the next runs; return how many."""
        everything = os.sched_getaffinity(0)
        if cpu != self._pinned:
            os.sched_setaffinity(self.keeper_pid, everything if cpu is None else {cpu})
            self._pinned = cpu
        return len(everything) if cpu is None else 1

    def reset(self) -> None:
        """Empty the scratch directory now."""
        self.control.send(wire.RESET)
        if not self.answers_within(_REPLY_PATIENCE_MS):
            self.close()
            raise SandboxError("reset scratch", 0, "the keeper does not answer")
        reply = self.receive()
        if isinstance(reply, wire.Failure):
            self.close()
            raise SandboxError(reply.step, reply.code)
        self.dirty = False

    def receive(self) -> wire.Report | wire.Failure | wire.Word | None:
        """Read the keeper's next packet. Its death is a failure without an errno."""
        try:
            # A plain recv drops descriptors, should a keeper ever send any.
            packet = self.control.recv(wire.MAX_REPLY)
            if not packet:
                return wire.Failure("keeper died", 0)
            return wire.unpack_reply(packet)
        except (OSError, ValueError) as error:
            return wire.Failure(f"keeper unreadable: {error}", 0)

    def kill(self) -> None:
        """End everything in the box at once: the kernel kills a pid namespace with its PID 1."""
        if self.keeper < 0:
            return
        try:
            signal.pidfd_send_signal(self.keeper, signal.SIGKILL)
        except ProcessLookupError:
            pass
        except PermissionError as error:
            raise SandboxError("end box", error.errno or 0) from error

    def close(self) -> None:
        """Destroy the box. A second call does nothing (INV-10)."""
        if self.closed:
            return
        self.closed = True
        try:
            self.kill()
        finally:
            # A keeper that may not be killed ends with its socket.
            self.control.close()
            # The pidfd turns readable when PID 1 has outlived and reaped the whole namespace.
            dead = self.keeper < 0 or _readable(self.keeper, _DEATH_PATIENCE_MS)
            self.pipes.close()
            descriptors.close_all([each for each in (self.keeper, self.app, self.work) if each >= 0])
            self.keeper = self.app = self.work = -1
            self.group.remove()
            self.on_close(self)
        if not dead:
            raise SandboxError("destroy box", 0, "its processes do not die")


def _readable(descriptor: int, timeout_ms: int) -> bool:
    poller = select.poll()
    poller.register(descriptor, select.POLLIN)
    return bool(poller.poll(timeout_ms))
