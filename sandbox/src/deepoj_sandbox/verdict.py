"""From what the keeper saw to a status. The order of the questions is the rule."""

import os
import signal

from deepoj_sandbox.box.wire import Ending, Report
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import Status


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
) -> Status:
    """`ending` is the exit code or signal of the report's status."""
    exit_code, killed_by = ending
    limits = request.limits
    if report.oom_kills or report.ending == Ending.MEMORY:
        return Status.MLE
    if too_much_output or killed_by == signal.SIGXFSZ:
        return Status.OLE
    if report.ending == Ending.CPU or report.cpu_ns > limits.cpu_ms * 1_000_000:
        return Status.TLE
    if report.ending == Ending.WALL:
        return Status.WALL_TLE
    if any(rule.matches(exit_code, killed_by, stderr_tail) for rule in request.memory_exits):
        return Status.MLE
    return Status.OK if exit_code == 0 else Status.RE
