"""Runs of one's own input."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from deepoj_bff.queries.views.base import Milliseconds, View
from deepoj_domain.kernel.verdict import SandboxVerdict, Verdict


class RanAnswer(View, frozen=True, kw_only=True):
    verdict: SandboxVerdict | None
    stdout: bytes
    stderr: bytes
    truncated: bool
    time: Milliseconds
    memory_bytes: int
    exit_code: int
    signal: int
    compile_error: str | None
    sample_verdict: Verdict | None


class Ran(View, frozen=True, kw_only=True):
    """Output that is not UTF-8 is shown with replacement characters."""

    verdict: Annotated[SandboxVerdict | None, Meta(description="Null when it did not compile.")]
    stdout: str
    stderr: str
    truncated: bool
    time: Milliseconds
    memory_bytes: int
    exit_code: int
    signal: int
    compile_error: str | None
    sample_verdict: Annotated[
        Verdict | None,
        Meta(description="Of a sample that compiled: what a submission would get for it."),
    ]
