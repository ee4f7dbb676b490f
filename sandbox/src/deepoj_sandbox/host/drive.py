"""Driving runs to their end: one, or several in company, with one loop."""

import contextlib
import math
import select
import time
from typing import Protocol

from deepoj_sandbox.box import wire
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.streams import Sink, Stream
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunResult

# A pipe holds 64 KiB, so a short run needs no draining before its end, and not waking for its first
# byte saves a context switch. A longer one waits this long at most for its first drain.
LAZY_MS = 2
# The keeper enforces the wall limit; this is for a keeper that does not.
GRACE_SECONDS = 10.0


class HungUp(Exception):  # noqa: N818 -- an event, not a mistake
    """The caller went away during the run."""


def run(box: Box, request: RunRequest, stdin: int, stdout: Sink, stderr: Sink, caller: int = -1) -> RunResult:
    """Run one program. `caller` is a socket whose hang-up ends the run."""
    return drive([Execution(box, request, stdin, stdout, stderr)], caller)[0]


class Company(Protocol):
    """What happens around runs that belong together."""

    watch: int
    """A descriptor that is readable when `told` has something to do; -1 when there is none."""

    def started(self) -> None: ...

    def told(self) -> None: ...

    def ended(self, place: int) -> None: ...

    def heard(self, place: int, word: wire.Word) -> None: ...

    def patience(self) -> float: ...


def drive(executions: list[Execution], caller: int = -1, company: Company | None = None) -> list[RunResult]:
    """Run all to the end. Whatever goes wrong on our side destroys every box involved."""
    try:
        for execution in executions:
            execution.start()
        if company:
            company.started()
        if not _over_soon(executions):
            _Attendant(executions, caller, company).attend()
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
    if len(executions) == 1 and execution.box.answers_within(LAZY_MS):
        _hear(execution)
    return execution.report is not None and len(executions) == 1


def _hear(execution: Execution) -> wire.Word | None:
    said = execution.hear()
    if not isinstance(said, wire.Failure):
        return said
    kills = 0 if said.code else execution.box.group.oom_kills()
    with contextlib.suppress(SandboxError):
        execution.box.close()
    execution.bury(said, kills)
    return None


class _Attendant:
    """Waits for reports, drains output, notices hang-ups and silence."""

    def __init__(self, executions: list[Execution], caller: int, company: Company | None) -> None:
        self._executions = executions
        self._company = company
        self._poller = select.poll()
        self._waiting = {execution.box.control.fileno(): execution for execution in executions}
        for descriptor in self._waiting:
            self._poller.register(descriptor, select.POLLIN)
        if caller >= 0:
            self._poller.register(caller, select.POLLRDHUP)
        if company and company.watch >= 0:
            self._poller.register(company.watch, select.POLLIN)
        longest = max(execution.wall_ms for execution in executions)
        self._deadline = time.monotonic() + longest / 1000 + GRACE_SECONDS
        self._draining: dict[int, tuple[Execution, Stream]] = {}

    def attend(self) -> None:
        self._watch_output()
        while self._waiting:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise SandboxError("watch keeper", 0, "no report in time")
            if self._company:
                left = min(left, self._company.patience())
            # Rounded up, so that a poll that times out is never too early.
            self._look(math.ceil(left * 1000))

    def _look(self, timeout_ms: int) -> None:
        for descriptor, _ in self._poller.poll(timeout_ms):
            if descriptor in self._waiting:
                self._hear(descriptor)
            elif descriptor in self._draining:
                self._drain(descriptor)
            elif self._company and descriptor == self._company.watch:
                self._company.told()
            else:
                raise HungUp

    def _watch_output(self) -> None:
        for execution in self._executions:
            for stream in execution.streams:
                self._draining[stream.reader] = (execution, stream)
                self._poller.register(stream.reader, select.POLLIN)

    def _hear(self, descriptor: int) -> None:
        execution = self._waiting[descriptor]
        word = _hear(execution)
        place = self._executions.index(execution)
        if execution.report:
            self._poller.unregister(descriptor)
            del self._waiting[descriptor]
            if self._company:
                self._company.ended(place)
        elif self._company and word is not None:
            self._company.heard(place, word)

    def _drain(self, descriptor: int) -> None:
        execution, stream = self._draining[descriptor]
        stream.drain_some()
        if stream.exceeded:
            self._poller.unregister(descriptor)
            execution.stop()
