"""The keeper: PID 1 of a box. Takes orders over a socket, one run at a time, until the socket closes."""

import errno
import os
import resource
import select
import signal
import socket
import time

from deepoj_sandbox.box import wire
from deepoj_sandbox.box.idleness import Idleness
from deepoj_sandbox.box.resident import Resident, main_bytes
from deepoj_sandbox.box.rest import Rest
from deepoj_sandbox.box.scratch import Scratch
from deepoj_sandbox.box.stillness import Stillness
from deepoj_sandbox.box.traffic import Traffic
from deepoj_sandbox.cgroups.polling_meter import process_cpu_ns
from deepoj_sandbox.cgroups.port import Meter
from deepoj_sandbox.errors import Steps
from deepoj_sandbox.kernel import descriptors, rlimits, signals

_MS = 1_000_000
# What a shell would report of a program that cannot be executed.
_NOT_STARTED = (wire.Ending.BY_ITSELF, 126 << 8, resource.struct_rusage((0,) * 16))
_STDERR = 2
_ENDED_BY: dict[int, wire.Ending] = {wire.Op.KILL: wire.Ending.HOST, wire.Op.GIVE_UP: wire.Ending.WALL}
# Errors of a spawn that say nothing about what was to be started.
_EXHAUSTED = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE})


class Keeper:
    def __init__(
        self,
        control: socket.socket,
        meter: Meter,
        limits: rlimits.SoftLimits,
        scratch: Scratch,
        traffic: Traffic,
        *,
        polls: bool,
    ) -> None:
        self._control = control
        self._meter = meter
        self._limits = limits
        self._scratch = scratch
        self._traffic = traffic
        self._polls = polls
        self._steps = Steps("wait for orders")
        self._last = (b"", wire.NO_ORDER)
        self._own_start = time.process_time_ns()
        self._seen = 0
        self._buffer = bytearray(wire.MAX_ORDER)
        self._children = signals.child_signals()
        self._sources = (self._children, control.fileno())
        self._resident = Resident()

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
                descriptors.close_all(received)
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
        kept = 0
        if order.reset:
            self._steps.now("reset scratch")
            self._scratch.wipe()
        else:
            kept = self._scratch.used_bytes()
        self._steps.now("start counters")
        self._meter.begin(order.memory_bytes, order.processes, kept)
        self._resident.begin(argv)
        if order.talks:
            self._traffic.begin()
        self._steps.now("spawn")
        start = time.monotonic_ns()
        child = _spawn(argv, environment, stdio)
        self._steps.now("watch")
        if order.talks:
            # Who it talks with must see its end: nobody else may hold its pipes.
            descriptors.close_all(stdio)
            stdio.clear()
        rest = Rest(self._control, wanted=bool(order.rests))
        idleness = Idleness(0 if order.talks else order.idle_ns, start, stdio[1:], rest)
        ending, status, usage = self._watch(child, order, start, idleness, rest) if child else _NOT_STARTED
        wall = time.monotonic_ns() - start - rest.stopped_ns
        if not self._meter.alone():
            _sweep()
        self._steps.now("read counters")
        used = self._meter.end()
        if used.oom_kills or 2 * used.peak_bytes > order.memory_bytes:
            self._meter.relax()
        main = int((usage.ru_utime + usage.ru_stime) * 1e9)
        own_end = time.process_time_ns()
        # Clocks of a group and of its members differ by a few microseconds: what was seen stays seen.
        cpu = max(used.cpu_ns - (own_end - self._own_start), main, self._seen)
        self._own_start = own_end
        resident = main_bytes(usage)
        if self._polls and max(used.peak_bytes, resident) > order.memory_bytes:
            ending = wire.Ending.MEMORY
        peak = max(used.peak_bytes, min(self._resident.peak(used.peak_bytes, resident), order.memory_bytes))
        if ending is not wire.Ending.MEMORY and not used.oom_kills:
            # Nobody was over the limit, so what seems to be is not theirs alone.
            peak = min(peak, order.memory_bytes)
        traffic = self._traffic.end() if order.talks else (0, 0)
        return wire.Report(ending, status, cpu, wall, peak, used.oom_kills, *traffic)

    def _apply(self, order: wire.RunOrder) -> None:
        limits = self._limits
        limits.apply(resource.RLIMIT_FSIZE, order.file_bytes)
        limits.apply(resource.RLIMIT_STACK, order.stack_bytes)
        limits.apply(resource.RLIMIT_NOFILE, order.open_files)
        limits.apply(resource.RLIMIT_AS, order.address_space_bytes or rlimits.UNLIMITED)
        if self._polls:
            limits.apply(resource.RLIMIT_NPROC, order.processes + 1)

    def _watch(
        self, child: int, order: wire.RunOrder, start: int, idleness: Idleness, rest: Rest
    ) -> tuple[wire.Ending, int, resource.struct_rusage]:
        """Wait for the end of the main process or of a limit, then make sure it is the end."""
        ending = wire.Ending.BY_ITSELF
        self._seen = 0
        stillness = Stillness()
        due = start + self._patience_ns(order, 0, 0, idleness)
        while ending is wire.Ending.BY_ITSELF:
            ready, _, _ = select.select(self._sources, (), (), max(due - time.monotonic_ns(), 0) / 1e9)
            for descriptor in ready:
                if descriptor == self._children:
                    signals.forget_pending(descriptor)
                    ended, status, usage = os.wait4(child, os.WNOHANG)
                    if ended:
                        return ending, status, usage
                else:
                    ending = _ENDED_BY.get(word := self._word(), ending)
                    if word == wire.Op.GO_ON:
                        rest.go_on()
                    elif word == wire.Op.LOOK:
                        self._see(child)
                        self._control.send(wire.STILL if stillness.since_last(self._seen) else wire.MOVED)
            # By the clock, not by the silence: a program can keep us awake with SIGCHLD for ever.
            if time.monotonic_ns() >= due and ending is wire.Ending.BY_ITSELF:
                self._resident.look(child)
                self._see(child)
                elapsed = time.monotonic_ns() - start - rest.stopped_ns
                ending = self._exceeded(order, elapsed, self._seen)
                if ending is wire.Ending.BY_ITSELF and idleness.is_over(self._seen):
                    ending = wire.Ending.WALL
                due = time.monotonic_ns() + self._patience_ns(order, elapsed, self._seen, idleness)
        os.kill(-1, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        return ending, status, usage

    def _see(self, child: int) -> None:
        self._seen = max(self._meter.cpu_ns() - self._own_cpu_ns(), process_cpu_ns(child))

    def _own_cpu_ns(self) -> int:
        """What the keeper itself spent since the last run: its cgroup counts that too."""
        return time.process_time_ns() - self._own_start

    def _patience_ns(self, order: wire.RunOrder, elapsed: int, used: int, idleness: Idleness) -> int:
        """Until a limit can be reached at the earliest: every processor of the box may be busy."""
        left = max(min(order.wall_ns - elapsed, (order.cpu_ns - used) // order.cpus), _MS)
        pauses = (idleness.pause_ns, self._meter.pause_ns, self._resident.pause_ns(elapsed))
        return min(filter(None, (left, *pauses)))

    def _word(self) -> int:
        """What the host says during a run."""
        packet, received = descriptors.receive(self._control, self._buffer)
        descriptors.close_all(received)
        if not packet:
            os._exit(0)  # the host is gone: nobody is left to report to, and PID 1 takes all with it
        return packet[0]

    def _exceeded(self, order: wire.RunOrder, elapsed: int, used: int) -> wire.Ending:
        if used >= order.cpu_ns:
            return wire.Ending.CPU
        if elapsed >= order.wall_ns:
            return wire.Ending.WALL
        if self._meter.over_memory():
            return wire.Ending.MEMORY
        return wire.Ending.BY_ITSELF


def _spawn(argv: list[bytes], environment: dict[bytes, bytes], passed: list[int]) -> int:
    """Start the program, with what is passed as its descriptors 0 and up.

    0 when there is nothing in it to start, which it says on its standard error.
    """
    try:
        return os.posix_spawn(
            argv[0],
            argv,
            environment,
            # Each lies above its new place, and they ascend: none is overwritten before it is copied.
            file_actions=[(os.POSIX_SPAWN_DUP2, each, place) for place, each in enumerate(passed)],
            resetids=True,
            setsid=True,
            setsigmask=(),
            # What the interpreter ignores or catches; confine() set the rest back already.
            setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT),
        )
    except OSError as error:
        if error.errno in _EXHAUSTED or not _of_submission(argv[0]):
            raise
        os.write(passed[_STDERR], f"the program cannot be started: {error.strerror}\n".encode())
        return 0


def _of_submission(program: bytes) -> bool:
    """Tell what a submission made from what the host has, or has forgotten to put into the box."""
    return program.startswith(b"/box/") or (program.startswith(b"/app/") and os.path.lexists(program))


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
