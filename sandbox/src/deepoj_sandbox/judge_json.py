"""Judge JSON protocol v1: one line about one run, for whoever started the one-shot command."""

import json

from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.result import RunResult, RunStatus

SCHEMA_VERSION = 1
# What parsers older than the protocol look at.
_OLD_STATUS = {
    RunStatus.OK: "Finished",
    RunStatus.TLE: "Time Limit Exceeded",
    RunStatus.WALL_TLE: "Time Limit Exceeded",
    RunStatus.MLE: "Memory Limit Exceeded",
    RunStatus.OLE: "Output Limit Exceeded",
    RunStatus.RE: "Runtime Error",
}


def of_result(result: RunResult, job_id: str, attempt_id: int) -> str:
    verdict = RunStatus.TLE if result.status is RunStatus.WALL_TLE else result.status
    wall_limited = result.status is RunStatus.WALL_TLE
    time_ms = result.wall_ms if wall_limited else result.cpu_ms
    memory_kb = result.peak_bytes // 1024
    return _line(
        job_id,
        attempt_id,
        verdict=verdict,
        time_ms=time_ms,
        mem_kb=memory_kb,
        exit_signal=result.signal or 0,
        sandbox_error="",
        status=_OLD_STATUS[result.status],
        time_used=time_ms,
        memory_used=memory_kb,
        exit_code=result.exit_code if result.exit_code is not None else 128 + (result.signal or 0),
        error="wall clock limit" if wall_limited else "",
        wall_ms=result.wall_ms,
        stdout_bytes=result.stdout_bytes,
        stderr_bytes=result.stderr_bytes,
        stdout_truncated=result.stdout_truncated,
        stderr_truncated=result.stderr_truncated,
    )


def of_failure(error: SandboxError, job_id: str, attempt_id: int) -> str:
    return _line(
        job_id,
        attempt_id,
        verdict="SE",
        time_ms=0,
        mem_kb=0,
        exit_signal=0,
        sandbox_error=f"{error.step}:{error.code}",
        status="System Error",
        time_used=0,
        memory_used=0,
        exit_code=-1,
        error=str(error),
    )


def _line(job_id: str, attempt_id: int, **fields: str | int | bool) -> str:
    head: dict[str, str | int | bool] = {
        "schema_version": SCHEMA_VERSION,
        "job_id": job_id,
        "attempt_id": attempt_id,
    }
    return json.dumps(head | fields, separators=(",", ":"))
