"""The keeper: PID 1 of a box. Takes orders over a socket, one run at a time, until the socket closes."""

import os
import resource
import select
import signal
import socket
import time

from deepoj_sandbox.box import wire
from deepoj_sandbox.box.scratch import Scratch
from deepoj_sandbox.box.steps import Steps
from deepoj_sandbox.cgroups.polling import process_cpu_ns
from deepoj_sandbox.cgroups.port import Meter
from deepoj_sandbox.kernel import descriptors, rlimits, signals

# Without a cgroup memory is only as exact as the pause between two looks.
_POLL_NS = 10_000_000
_MS = 1_000_000


class Keeper:
    def __init__(
        self,
        control: socket.socket,
        meter: Meter,
        limits: rlimits.SoftLimits,
        scratch: Scratch,
        *,
        polls: bool,
    ) -> None:
        self._control = control
        self._meter = meter
        self._limits = limits
        self._scratch = scratch
        self._polls = polls
        self._steps = Steps("wait for orders")
        self._last = (b"", wire.NO_ORDER)
        self._own_start = time.process_time_ns()
        self._seen = 0
        self._buffer = bytearray(wire.MAX_ORDER)
        self._children = signals.child_signals()
        self._poller = select.poll()
        self._poller.register(self._children, select.POLLIN)
        self._poller.register(control, select.POLLIN)

    def serve(self) -> None:
        """Obey until the host hangs up or something of ours fails; the host then discards the box."""
        try:
            while True:
                self._steps.now("receive order")
                packet, received = descriptors.receive(self._control, self._buffer)
                if not packet:
                    return
                reply = self._obey(packet, received)
                if reply:
                    self._control.send(reply)
        except OSError as error:
            failure = wire.Failure(self._steps.current, error.errno or 0)
            self._control.send(wire.pack_failure(failure))

    def _obey(self, packet: bytes, received: list[int]) -> bytes:
        if packet[0] == wire.Op.RUN:
            return wire.pack_report(self._run(packet, received))
        if packet[0] == wire.Op.RESET:
            self._steps.now("reset scratch")
            self._scratch.wipe()
            return wire.DONE
        return b""  # a kill that arrived after the end of its run

    def _run(self, packet: bytes, stdio: list[int]) -> wire.Report:
        self._steps.now("set limits")
        # The cases of one submission come with the same order, byte for byte.
        if packet != self._last[0]:
            self._last = (packet, wire.unpack_order(packet))
            self._apply(self._last[1][0])
        order, argv, environment = self._last[1]
        if order.reset:
            self._steps.now("reset scratch")
            self._scratch.wipe()
        self._steps.now("start counters")
        self._meter.begin(order.memory_bytes, order.processes)
        self._steps.now("spawn")
        start = time.monotonic_ns()
        child = os.posix_spawn(
            argv[0],
            argv,
            environment,
            file_actions=(
                (os.POSIX_SPAWN_DUP2, stdio[0], 0),
                (os.POSIX_SPAWN_DUP2, stdio[1], 1),
                (os.POSIX_SPAWN_DUP2, stdio[2], 2),
            ),
            resetids=True,
            setsid=True,
            setsigmask=(),
            # What the interpreter ignores or catches; confine() set the rest back already.
            setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT),
        )
        self._steps.now("watch")
        # The other program of a pair must see the end of this one: nobody else may hold its pipes.
        descriptors.close_all(stdio)
        ending, status, usage = self._watch(child, order, start)
        wall = time.monotonic_ns() - start
        if not self._meter.alone():
            _sweep()
        self._steps.now("read counters")
        used = self._meter.end()
        if used.oom_kills or 2 * used.peak_bytes > order.memory_bytes:
            self._meter.relax()
        main = int((usage.ru_utime + usage.ru_stime) * 1e9)
        peak = used.peak_bytes
        if self._polls:
            peak = max(peak, self._resident(usage.ru_maxrss))
            ending = wire.Ending.MEMORY if peak > order.memory_bytes else ending
        own_end = time.process_time_ns()
        # Clocks of a group and of its members differ by a few microseconds: what was seen stays seen.
        cpu = max(used.cpu_ns - (own_end - self._own_start), main, self._seen)
        self._own_start = own_end
        return wire.Report(ending, status, cpu, wall, peak, used.oom_kills)

    def _resident(self, kilobytes: int) -> int:
        """The kernel's peak of the main process; below the keeper's own it is that, from before exec."""
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return kilobytes * 1024 if kilobytes > own else 0

    def _apply(self, order: wire.Order) -> None:
        limits = self._limits
        limits.apply(resource.RLIMIT_FSIZE, order.file_bytes)
        limits.apply(resource.RLIMIT_STACK, order.stack_bytes)
        limits.apply(resource.RLIMIT_NOFILE, order.open_files)
        limits.apply(resource.RLIMIT_AS, order.address_space_bytes or rlimits.UNLIMITED)
        if self._polls:
            limits.apply(resource.RLIMIT_NPROC, order.processes + 1)

    def _watch(
        self, child: int, order: wire.Order, start: int
    ) -> tuple[wire.Ending, int, resource.struct_rusage]:
        """Wait for the end of the main process or of a limit, then make sure it is the end."""
        ending = wire.Ending.BY_ITSELF
        self._seen = 0
        due = start + self._patience_ns(order, start, 0)
        while ending is wire.Ending.BY_ITSELF:
            # Rounded up, so that a poll that times out is never too early.
            ready = self._poller.poll(max(-(-(due - time.monotonic_ns()) // _MS), 0))
            for descriptor, _ in ready:
                if descriptor == self._children:
                    signals.forget_pending(descriptor)
                    ended, status, usage = os.wait4(child, os.WNOHANG)
                    if ended:
                        return ending, status, usage
                elif self._must_stop():
                    ending = wire.Ending.HOST
            # By the clock, not by the silence: a program can keep us awake with SIGCHLD for ever.
            if time.monotonic_ns() >= due and ending is wire.Ending.BY_ITSELF:
                self._seen = max(self._meter.cpu_ns() - self._own_cpu_ns(), process_cpu_ns(child))
                ending = self._exceeded(order, start, self._seen)
                due = time.monotonic_ns() + self._patience_ns(order, start, self._seen)
        os.kill(-1, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        return ending, status, usage

    def _own_cpu_ns(self) -> int:
        """What the keeper itself spent since the last run: its cgroup counts that too."""
        return time.process_time_ns() - self._own_start

    def _patience_ns(self, order: wire.Order, start: int, used: int) -> int:
        """Until a limit can be reached at the earliest: every processor of the box may be busy."""
        wall_left = order.wall_ns - (time.monotonic_ns() - start)
        left = min(wall_left, (order.cpu_ns - used) // order.cpus)
        if self._polls:
            left = min(left, _POLL_NS)
        return max(left, _MS)

    def _must_stop(self) -> bool:
        packet, received = descriptors.receive(self._control, self._buffer)
        descriptors.close_all(received)
        if not packet:
            os._exit(0)  # the host is gone: nobody is left to report to, and PID 1 takes all with it
        return packet[0] == wire.Op.KILL

    def _exceeded(self, order: wire.Order, start: int, used: int) -> wire.Ending:
        if used >= order.cpu_ns:
            return wire.Ending.CPU
        if time.monotonic_ns() - start >= order.wall_ns:
            return wire.Ending.WALL
        if self._meter.over_memory():
            return wire.Ending.MEMORY
        return wire.Ending.BY_ITSELF


def _sweep() -> None:
    """Kill and reap whatever outlived the main process.

    kill(-1) holds the task list: no fork can slip through it. It says ESRCH when nobody was left.
    """
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return
