"""Copies of one submission that a manager talks with: what they come to together."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from deepoj_domain.kernel.verdict import SandboxVerdict
from deepoj_judgement.commands.judge.sandbox_port import Ran


def as_one(copies: Sequence[Ran], cpu_ms: int, left_alone: Callable[[Ran], bool]) -> Ran:
    """They share the time limit, and each has the others' memory limit for itself.

    The first that failed tells how it ended, but for one that only wrote to nobody, which is `left_alone`.
    """
    if len(copies) == 1:
        return copies[0]
    failed = [ran for ran in copies if ran.report.verdict is not SandboxVerdict.OK]
    told = min(failed or copies, key=lambda ran: (left_alone(ran), ran.report.ended))
    late = SandboxVerdict.TIME_LIMIT
    # Whoever was stopped may have slept: what its clock shows is not time it used.
    used = sum(ran.report.time_ms for ran in copies if ran.report.verdict is not late)
    report = replace(
        told.report,
        time_ms=told.report.time_ms if told.report.verdict is late else used,
        memory_kib=max(ran.report.memory_kib for ran in copies),
        wall_ms=max(ran.report.wall_ms for ran in copies),
        stdout_truncated=any(ran.report.stdout_truncated for ran in copies),
    )
    if not failed and used > cpu_ms:
        report = replace(report, verdict=late)
    return replace(told, report=report)
