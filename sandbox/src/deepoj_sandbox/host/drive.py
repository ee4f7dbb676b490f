"""Driving runs to their end: one, or two joined by pipes, with one loop."""

import contextlib
import os
import select
import time
from collections.abc import Callable

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.streams import Sink, Stream
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult

# A pipe holds 64 KiB, so a short run needs no draining before its end, and not waking for its first
# byte saves a context switch. A longer one waits this long at most for its first drain.
_LAZY_MS = 2
# The keeper enforces the wall limit; this is for a keeper that does not.
_GRACE_SECONDS = 10.0


class HungUp(Exception):  # noqa: N818 -- an event, not a mistake
    """The caller went away during the run."""


def run(box: Box, request: RunRequest, stdin: int, stdout: Sink, stderr: Sink, caller: int = -1) -> RunResult:
    """Run one program. `caller` is a socket whose hang-up ends the run."""
    return drive([Execution(box, request, stdin, stdout, stderr)], caller)[0]


def run_pair(
    boxes: tuple[Box, Box],
    requests: tuple[RunRequest, RunRequest],
    errors: tuple[Sink, Sink],
    caller: int = -1,
) -> tuple[RunResult, RunResult]:
    """Run two programs, each one's output the other's input. `ended_first` says which one was.

    The writing ends stay open here until the end of their program is reported, so whoever ends because the
    other did is told apart from who ended first. The reading ends do not: writing to a program that is gone
    fails at once. A pair that waits for each other ends at the wall limit.
    """
    first_in, second_out = os.pipe2(os.O_CLOEXEC)
    second_in, first_out = os.pipe2(os.O_CLOEXEC)
    inputs, outputs, gone = [first_in, second_in], [first_out, second_out], list[Execution]()
    try:
        executions = [
            Execution(box, request, stdin, os.dup(stdout), sink)
            for box, request, stdin, stdout, sink in zip(
                boxes, requests, inputs, outputs, errors, strict=True
            )
        ]

        def ended(execution: Execution) -> None:
            gone.append(execution)
            os.close(outputs[executions.index(execution)])
            outputs[executions.index(execution)] = -1

        results = drive(executions, caller, started=lambda: _close(inputs), ended=ended)
    finally:
        _close([*inputs, *outputs])
    first, second = (
        result._replace(ended_first=execution is gone[0])
        for execution, result in zip(executions, results, strict=True)
    )
    return first, second


def _close(ends: list[int]) -> None:
    for place, end in enumerate(ends):
        if end >= 0:
            os.close(end)
        ends[place] = -1


def _nothing(*_: object) -> None:
    pass


def drive(
    executions: list[Execution],
    caller: int = -1,
    started: Callable[[], None] = _nothing,
    ended: Callable[[Execution], None] = _nothing,
) -> list[RunResult]:
    """Run all to the end. Whatever goes wrong on our side destroys every box involved."""
    try:
        for execution in executions:
            execution.start()
        started()
        if not _over_soon(executions):
            _Attendant(executions, caller, ended).attend()
        return [execution.result() for execution in executions]
    except BaseException as problem:
        for execution in executions:
            with contextlib.suppress(SandboxError):
                execution.box.close()
        if isinstance(problem, OSError):
            raise SandboxError("drive run", problem.errno or 0) from problem
        raise
    finally:
        for execution in executions:
            execution.close()


def _over_soon(executions: list[Execution]) -> bool:
    """Wait a moment for a single short run, without anything that a long one needs."""
    execution = executions[0]
    if len(executions) == 1 and execution.box.answers_within(_LAZY_MS):
        execution.hear()
    return execution.report is not None and len(executions) == 1


class _Attendant:
    """Waits for reports, drains output, notices hang-ups and silence."""

    def __init__(self, executions: list[Execution], caller: int, ended: Callable[[Execution], None]) -> None:
        self._executions = executions
        self._caller = caller
        self._ended = ended
        self._poller = select.poll()
        self._waiting = {execution.box.control.fileno(): execution for execution in executions}
        for descriptor in self._waiting:
            self._poller.register(descriptor, select.POLLIN)
        if caller >= 0:
            self._poller.register(caller, select.POLLRDHUP)
        longest = max(execution.wall_ms for execution in executions)
        self._deadline = time.monotonic() + longest / 1000 + _GRACE_SECONDS
        self._draining: dict[int, tuple[Execution, Stream]] = {}

    def attend(self) -> None:
        self._watch_output()
        while self._waiting:
            left = (self._deadline - time.monotonic()) * 1000
            if left <= 0:
                raise SandboxError("watch keeper", 0, "no report in time")
            self._look(left)

    def _look(self, timeout_ms: float) -> None:
        for descriptor, _ in self._poller.poll(timeout_ms):
            if descriptor in self._waiting:
                self._hear(descriptor)
            elif descriptor in self._draining:
                self._drain(descriptor)
            else:
                raise HungUp

    def _watch_output(self) -> None:
        for execution in self._executions:
            for stream in execution.streams:
                self._draining[stream.reader] = (execution, stream)
                self._poller.register(stream.reader, select.POLLIN)

    def _hear(self, descriptor: int) -> None:
        execution = self._waiting[descriptor]
        execution.hear()
        if execution.report:
            self._poller.unregister(descriptor)
            del self._waiting[descriptor]
            self._ended(execution)

    def _drain(self, descriptor: int) -> None:
        execution, stream = self._draining[descriptor]
        stream.drain_some()
        if stream.exceeded:
            self._poller.unregister(descriptor)
            execution.stop()
