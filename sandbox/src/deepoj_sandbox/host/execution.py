"""One run in one box, from order to result."""

import os

from deepoj_sandbox.box import wire
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.streams import Sink, Stream
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult, Status
from deepoj_sandbox.verdict import decide, decode_status

_MS = 1_000_000


def _pack(request: RunRequest, cpus: int, *, reset: bool) -> bytes:
    limits = request.limits
    order = wire.Order(
        reset=reset,
        cpu_ns=limits.cpu_ms * _MS,
        wall_ns=limits.wall_ms * _MS,
        memory_bytes=limits.memory_bytes + limits.memory_slack_bytes,
        processes=limits.processes,
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        stack_bytes=limits.stack_bytes,
        address_space_bytes=limits.address_space_bytes,
        cpus=cpus,
    )
    return wire.pack_order(order, request.argv, request.environment)


class Execution:
    def __init__(self, box: Box, request: RunRequest, stdin: int, stdout: Sink | int, stderr: Sink) -> None:
        """`stdout` is a sink, or the write end of a pipe to another program."""
        self.box = box
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
            packet = box.packed(self._request, _pack)
            descriptors.send(box.control, packet, (self._stdin, writer, self._stderr.writer))
        except OSError as error:
            raise SandboxError("send order", error.errno or 0) from error
        box.dirty = True
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1

    def stop(self) -> None:
        """Have the keeper end the run; it still reports. A second call does nothing."""
        if not self._stopped:
            self._stopped = True
            self.box.control.send(wire.KILL)

    def hear(self) -> None:
        """The control socket is readable: take the report, or find out why there is none."""
        reply = self.box.receive()
        if isinstance(reply, wire.Report):
            self.report = reply
            self.box.oom_seen += reply.oom_kills
        elif isinstance(reply, wire.Failure):
            self.report = self._obituary(reply)

    def _obituary(self, failure: wire.Failure) -> wire.Report:
        """Tell a keeper the kernel chose as victim of the program's appetite from one that broke."""
        kills = 0 if failure.code else self.box.group.oom_kills() - self.box.oom_seen
        self.box.close()
        if not kills:
            raise SandboxError(failure.step, failure.code)
        return wire.Report(0, 9, 0, 0, self._request.limits.memory_bytes, kills)

    def result(self) -> RunResult:
        report = self.report
        if report is None:
            raise SandboxError("read report", 0, "the run is not over")
        stdout, stderr = self._stdout, self._stderr
        stderr.drain_rest()
        if stdout:
            stdout.drain_rest()
        exceeded = (bool(stdout and stdout.exceeded), stderr.exceeded)
        exit_code, killed_by = decode_status(report.status)
        status = decide(self._request, report, too_much_output=any(exceeded), stderr_tail=stderr.tail)
        return RunResult(
            status,
            exit_code,
            killed_by,
            report.cpu_ns,
            report.wall_ns,
            report.peak_bytes if status is not Status.MLE else self._mle_peak(report),
            stdout.seen if stdout else 0,
            stderr.seen,
            *exceeded,
            self.box.closed,
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
