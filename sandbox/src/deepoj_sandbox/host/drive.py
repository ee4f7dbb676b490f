"""Driving runs to their end: one, or two joined by pipes, with one loop."""

import contextlib
import os
import select
import time
from collections.abc import Callable

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.streams import Sink
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult

# A pipe holds 64 KiB, so a short run needs no draining before its end, and not waking for its first
# byte saves a context switch. A longer one waits this long at most for its first drain.
_LAZY_MS = 2
# The keeper enforces the wall limit; this is for a keeper that does not.
_GRACE_SECONDS = 10.0
_GONE = select.POLLHUP | select.POLLERR | select.POLLNVAL


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
    """Run two programs, each one's output the other's input.

    Nobody but the two holds an end of either pipe, so the end of one is seen by the other, and a pair
    that waits for each other ends at the wall limit.
    """
    ends = [*os.pipe2(os.O_CLOEXEC), *os.pipe2(os.O_CLOEXEC)]
    first_in, second_out, second_in, first_out = ends
    try:
        executions = [
            Execution(boxes[0], requests[0], first_in, os.dup(first_out), errors[0]),
            Execution(boxes[1], requests[1], second_in, os.dup(second_out), errors[1]),
        ]
        first, second = drive(executions, caller, started=lambda: _close(ends))
    finally:
        _close(ends)
    return first, second


def _close(ends: list[int]) -> None:
    while ends:
        os.close(ends.pop())


def _nothing() -> None:
    pass


def drive(
    executions: list[Execution], caller: int = -1, started: Callable[[], None] = _nothing
) -> list[RunResult]:
    """Run all to the end. Whatever goes wrong on our side destroys every box involved."""
    try:
        for execution in executions:
            execution.start()
        started()
        _attend(executions, caller)
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


def _attend(executions: list[Execution], caller: int) -> None:
    poller = select.poll()
    waiting = {execution.box.control.fileno(): execution for execution in executions}
    for descriptor in waiting:
        poller.register(descriptor, select.POLLIN)
    if caller >= 0:
        poller.register(caller, select.POLLRDHUP)
    deadline = time.monotonic() + max(each.wall_ms for each in executions) / 1000 + _GRACE_SECONDS
    timeout = float(_LAZY_MS)
    draining: dict[int, Execution] | None = None
    while waiting:
        for descriptor, _ in poller.poll(timeout):
            if descriptor == caller:
                raise HungUp
            if descriptor in waiting:
                waiting[descriptor].hear()
                if waiting[descriptor].report:
                    poller.unregister(descriptor)
                    del waiting[descriptor]
            elif draining is not None:
                _drain(draining, descriptor, poller)
        if draining is None:
            draining = {stream.reader: each for each in executions for stream in each.streams}
            for descriptor in draining:
                poller.register(descriptor, select.POLLIN)
        timeout = (deadline - time.monotonic()) * 1000
        if timeout <= 0:
            raise SandboxError("watch keeper", 0, "no report in time")


def _drain(draining: dict[int, Execution], descriptor: int, poller: select.poll) -> None:
    execution = draining[descriptor]
    stream = next(each for each in execution.streams if each.reader == descriptor)
    if not stream.drain_some():
        poller.unregister(descriptor)
        if stream.exceeded:
            execution.stop()
