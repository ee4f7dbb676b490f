"""Judge JSON protocol v1, checked before anything in it is believed."""

from __future__ import annotations

from typing import Literal

import msgspec

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import RunRef, RunReport

Reason = Literal["not_json", "bad_field", "schema_version", "job_id", "attempt_id"]
SCHEMA_VERSION = 1


class ProtocolError(Exception):
    """`reason` labels a metric."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


class _Line(msgspec.Struct, frozen=True):
    schema_version: int
    job_id: str
    attempt_id: int
    verdict: SandboxVerdict
    time_ms: int
    mem_kb: int
    exit_signal: int
    sandbox_error: str
    exit_code: int = 0
    wall_ms: int = 0
    error: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False


_DECODER = msgspec.json.Decoder(_Line)


def parse_judge_json(text: bytes, ref: RunRef) -> RunReport:
    """Raise ProtocolError for what is not an answer to us, SandboxFailedError for the sandbox's own SE."""
    try:
        line = _DECODER.decode(text)
    except msgspec.ValidationError as error:
        raise ProtocolError("bad_field", str(error)) from error
    except msgspec.DecodeError as error:
        raise ProtocolError("not_json", str(error)) from error
    _expect("schema_version", line.schema_version, SCHEMA_VERSION)
    _expect("job_id", line.job_id, ref.job_id)
    _expect("attempt_id", line.attempt_id, ref.attempt_id)
    if line.verdict is SandboxVerdict.SYSTEM_ERROR:
        raise SandboxFailedError(line.error or line.sandbox_error)
    return RunReport(
        verdict=line.verdict,
        time_ms=line.time_ms,
        memory_kib=line.mem_kb,
        exit_code=line.exit_code,
        signal=line.exit_signal,
        wall_ms=line.wall_ms,
        stdout_truncated=line.stdout_truncated,
        stderr_truncated=line.stderr_truncated,
    )


def _expect(field: Reason, found: object, expected: object) -> None:
    if found != expected:
        raise ProtocolError(field, f"is {found!r} and not {expected!r}")
