"""The numbers, spans and log fields of judging. No label names a job (INV-6)."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from deepoj_domain.judgement.result import JudgeResult
from deepoj_judgement.commands.judge.sandbox_port import RunRef, RunReport
from deepoj_judgement.outbound.telemetry import instruments as seen
from deepoj_kit.telemetry import bind, tracer

_log = logging.getLogger(__name__)


class TelemetryObserver:
    def __init__(self) -> None:
        self._executing = 0
        self._reclaiming = 0
        seen.EXECUTING.set(0)
        seen.RECLAIMING.set(0)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        with tracer(__name__).start_as_current_span(f"judge {name}"), bind(stage=name):
            yield
            seconds = time.perf_counter() - begun
            seen.STEP_SECONDS.record(seconds, step=name)
            _log.info("step done", extra={"ms": round(seconds * 1000, 1)})

    @contextmanager
    def job(self, ref: RunRef, language: str) -> Iterator[None]:
        with bind(job_id=ref.job_id, submission_id=ref.job_id, attempt_id=ref.attempt_id, language=language):
            yield

    @contextmanager
    def executing(self) -> Iterator[None]:
        self._executing += 1
        seen.EXECUTING.set(self._executing)
        try:
            yield
        finally:
            self._executing -= 1
            seen.EXECUTING.set(self._executing)

    @contextmanager
    def reclaiming(self) -> Iterator[None]:
        self._reclaiming += 1
        seen.RECLAIMING.set(self._reclaiming)
        try:
            yield
        finally:
            self._reclaiming -= 1
            seen.RECLAIMING.set(self._reclaiming)

    def executed(self, report: RunReport) -> None:
        for stream, truncated in (("stdout", report.stdout_truncated), ("stderr", report.stderr_truncated)):
            if truncated:
                seen.TRUNCATED.add(stream=stream)

    def executed_job(self, result: str, seconds: float) -> None:
        seen.EXECUTIONS.add(result=result)
        seen.EXECUTION_SECONDS.record(seconds, result=result)

    def cache(self, *, hit: bool) -> None:
        seen.CACHE.add(result="hit" if hit else "miss")

    def judged(self, result: JudgeResult) -> None:
        seen.VERDICTS.add(verdict=str(result.verdict))

    def claimed(self, status: str, reason: str, *, reclaim: bool, seconds: float) -> None:
        if not reclaim:
            seen.CLAIMS.add(status=status, reason=str(reason))
            return
        seen.RECLAIMS.add(status=status, reason=str(reason))
        seen.RECLAIM_MS.record(seconds * 1000)

    def heartbeat(self, status: str, reason: str) -> None:
        seen.HEARTBEATS.add(status=status, reason=str(reason))

    def finalized(self, status: str, reason: str, seconds: float) -> None:
        seen.FINALIZED.add(status=status)
        seen.FINALIZE_MS.record(seconds * 1000)
        if status == "error":
            seen.FINALIZE_ERRORS.add()
        if status == "rejected":
            seen.FINALIZE_REJECTED.add(reason=str(reason))
        if reason == "stale_attempt":
            seen.STALE.add()

    def protocol_error(self, reason: str) -> None:
        seen.PROTOCOL_ERRORS.add(reason=reason)

    def fell_back(self) -> None:
        seen.FALLBACKS.add()
