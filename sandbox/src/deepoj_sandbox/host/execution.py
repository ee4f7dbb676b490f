"""One run in one box, from order to result."""

import contextlib
import os
import signal

from deepoj_sandbox.box import wire
from deepoj_sandbox.box.wire import Ending, Report
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.streams import Sink, Stream
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult, RunStatus

_MS = 1_000_000


def _pack(request: RunRequest, cpus: int, *, reset: bool, talks: bool, rests: bool) -> bytes:
    limits = request.limits
    order = wire.RunOrder(
        reset=reset,
        cpu_ns=limits.cpu_ms * _MS,
        wall_ns=limits.wall_ms * _MS,
        idle_ns=limits.idle_ms * _MS,
        memory_bytes=limits.memory_bytes + limits.memory_slack_bytes,
        processes=limits.processes,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        stack_bytes=limits.stack_bytes,
        address_space_bytes=limits.address_space_bytes,
        cpus=cpus,
        talks=talks,
        rests=rests,
    )
    return wire.pack_order(order, (*request.argv, *request.texts), request.environment)


class Execution:
    def __init__(
        self,
        box: Box,
        request: RunRequest,
        stdin: int,
        stdout: Sink | int,
        stderr: Sink,
        *,
        names: tuple[int, ...] = (),
        rests: bool = False,
    ) -> None:
        """`stdout` is a sink, or the write end of a pipe to another program. `rests`: see box/rest.py.

        The program has `names` as its descriptors 3 and up; they stay whose they are.
        """
        self.box = box
        self._names = names
        self._talks = isinstance(stdout, int) or bool(names)
        self._rests = rests
        self._request = request
        self._stdin = stdin
        self._pipe = stdout if isinstance(stdout, int) else -1
        limits = request.limits
        self._stdout = None if isinstance(stdout, int) else Stream(limits.output_bytes, stdout, box.pipes)
        self._stderr = Stream(limits.error_bytes, stderr, box.pipes)
        self.streams = [stream for stream in (self._stdout, self._stderr) if stream]
        self.report: wire.Report | None = None
        self._stopped = False

    @property
    def wall_ms(self) -> int:
        return self._request.limits.wall_ms

    def start(self) -> None:
        box = self.box
        writer = self._stdout.writer if self._stdout else self._pipe
        try:
            packet = box.packed(self._request, _pack, talks=self._talks, rests=self._rests)
            descriptors.send(box.control, packet, (self._stdin, writer, self._stderr.writer, *self._names))
        except OSError as error:
            raise SandboxError("send order", error.errno or 0) from error
        box.dirty = True
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        box.pipes.renew()

    def stop(self) -> None:
        """Have the keeper end the run; it still reports. A second call does nothing."""
        if not self._stopped:
            self._stopped = True
            self._tell(wire.KILL)

    def go_on(self) -> None:
        """Let a program run that woke up."""
        self._tell(wire.GO_ON)

    def look(self) -> None:
        """Ask whether the program did anything since the last time."""
        self._tell(wire.LOOK)

    def give_up(self) -> None:
        """End the run as at its wall limit."""
        self._tell(wire.GIVE_UP)

    def _tell(self, word: bytes) -> None:
        # A keeper that is gone cannot be told; what became of it is heard from the socket.
        with contextlib.suppress(OSError):
            self.box.control.send(word)

    def hear(self) -> wire.Failure | wire.Word | None:
        """The control socket is readable: take the report, or return what else the keeper says."""
        reply = self.box.receive()
        if isinstance(reply, wire.Report):
            self.report = reply
            self.box.oom_seen += reply.oom_kills
            return None
        return reply

    def bury(self, failure: wire.Failure, kills: int) -> None:
        """Tell a keeper the kernel chose as victim of the program's appetite from one that broke.

        `kills`: how often the kernel killed in this box.
        """
        if failure.code or kills <= self.box.oom_seen:
            raise SandboxError(failure.step, failure.code)
        self.report = wire.Report(0, 9, 0, 0, self._request.limits.memory_bytes, kills - self.box.oom_seen)

    def result(self) -> RunResult:
        report = self.report
        if report is None:
            raise SandboxError("read report", 0, "the run is not over")
        stdout, stderr = self._stdout, self._stderr
        stderr.drain_rest()
        if stdout:
            stdout.drain_rest()
        # Who talks may write elsewhere too; where nobody counts that, what was printed is known.
        written = max(stdout.seen if stdout else 0, report.written_bytes)
        exceeded = (written > self._request.limits.output_bytes, stderr.exceeded)
        ending = decode_status(report.status)
        status = decide(self._request, report, ending, too_much_output=any(exceeded), stderr_tail=stderr.tail)
        return RunResult(
            status,
            *ending,
            report.cpu_ns,
            report.wall_ns,
            report.peak_bytes if status is not RunStatus.MLE else self._mle_peak(report),
            written,
            stderr.seen,
            *exceeded,
            self.box.closed,
            read_bytes=report.read_bytes,
        )

    def _mle_peak(self, report: wire.Report) -> int:
        """What was stopped at the limit counts as the limit at least: page rounding may say less."""
        return max(report.peak_bytes, self._request.limits.memory_bytes)

    def close(self) -> None:
        for stream in self.streams:
            stream.close()
        self.streams = []
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1


def decode_status(status: int) -> tuple[int | None, int | None]:
    """Exit code or signal of a raw wait status."""
    if os.WIFSIGNALED(status):
        return None, os.WTERMSIG(status)
    return os.WEXITSTATUS(status), None


def decide(
    request: RunRequest,
    report: Report,
    ending: tuple[int | None, int | None],
    *,
    too_much_output: bool,
    stderr_tail: bytes,
) -> RunStatus:
    """Make a status of what the keeper saw; the order of the questions is the rule.

    `ending` is the exit code or signal of the report's status.
    """
    exit_code, killed_by = ending
    limits = request.limits
    if report.oom_kills or report.ending == Ending.MEMORY:
        return RunStatus.MLE
    if too_much_output or killed_by == signal.SIGXFSZ:
        return RunStatus.OLE
    if report.ending == Ending.CPU or report.cpu_ns > limits.cpu_ms * 1_000_000:
        return RunStatus.TLE
    if report.ending == Ending.WALL:
        return RunStatus.WALL_TLE
    if any(rule.matches(exit_code, killed_by, stderr_tail) for rule in request.memory_exits):
        return RunStatus.MLE
    return RunStatus.OK if exit_code == 0 else RunStatus.RE
