"""Between our words and the sandbox's, and its errors as ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.errors import PolicyViolationError, SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import Command, RunLimits, RunReport
from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.request import DEFAULT_ENVIRONMENT, RunRequest, SandboxLimits
from deepoj_sandbox.result import RunResult, RunStatus

OPEN_FILES: Final = 256
_LEAST_STACK: Final = 1 << 20
VERDICTS: Final = {
    RunStatus.OK: SandboxVerdict.OK,
    RunStatus.TLE: SandboxVerdict.TIME_LIMIT,
    RunStatus.WALL_TLE: SandboxVerdict.TIME_LIMIT,
    RunStatus.MLE: SandboxVerdict.MEMORY_LIMIT,
    RunStatus.OLE: SandboxVerdict.OUTPUT_LIMIT,
    RunStatus.RE: SandboxVerdict.RUNTIME_ERROR,
}


def box_limits(limits: RunLimits) -> SandboxLimits:
    return SandboxLimits(
        cpu_ms=limits.cpu_ms,
        wall_ms=limits.wall_ms,
        idle_ms=limits.idle_ms,
        memory_bytes=limits.memory_bytes,
        memory_slack_bytes=limits.memory_slack_bytes,
        processes=limits.processes,
        output_bytes=limits.output_bytes,
        error_bytes=limits.error_bytes,
        open_files=OPEN_FILES,
        # Contestants expect deep recursion to be limited by memory alone, unless the problem says otherwise.
        stack_bytes=limits.stack_bytes or max(limits.memory_bytes, _LEAST_STACK),
    )


@lru_cache(maxsize=256)
def request_of(command: Command, step: int = 0) -> RunRequest:
    is_last = step == len(command.steps) - 1
    return RunRequest(
        argv=command.steps[step],
        texts=command.arguments if is_last else (),
        environment=(*DEFAULT_ENVIRONMENT, *command.environment),
        limits=box_limits(command.limits),
        keep_scratch=step > 0 or command.continued,
        alone=command.alone,
    )


def report_of(result: RunResult) -> RunReport:
    wall_limited = result.status is RunStatus.WALL_TLE
    return RunReport(
        verdict=VERDICTS[result.status],
        time_ms=result.wall_ms if wall_limited else result.cpu_ms,
        memory_kib=result.peak_bytes // 1024,
        exit_code=result.exit_code if result.exit_code is not None else 128 + (result.signal or 0),
        signal=result.signal or 0,
        wall_ms=result.wall_ms,
        stdout_truncated=result.stdout_truncated,
        stderr_truncated=result.stderr_truncated,
        ended=result.ended,
        read_bytes=result.read_bytes,
    )


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except SandboxError as error:
        raise SandboxFailedError(str(error)) from error
    except Busy as error:
        raise SandboxFailedError("every box is lent") from error
    except BadRequest as error:
        raise PolicyViolationError(f"the sandbox refuses: {error}") from error
