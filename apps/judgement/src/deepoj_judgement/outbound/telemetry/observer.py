"""The numbers, spans and log fields of judging. No label names a job (INV-6)."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Final, get_args

from deepoj_domain.judgement.result import JudgeResult
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_judgement.commands.judge.sandbox_port import RunRef, RunReport
from deepoj_judgement.outbound.sandbox.judge_json import Reason
from deepoj_kit.telemetry import bind, counter, gauge, histogram, is_traced, tracer

# The name of a counter gains `_total`.
MILLISECONDS: Final = (1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000)
_RESULTS: Final = ("ok", "reject", "error", "timeout")
_ASKED: Final = (("ok", ""), ("error", "record_unavailable"))

EXECUTION_SECONDS = histogram("judge_exec_duration_seconds", "Length of one judgement", ("result",))
ISOLATION_DEGRADED = gauge(
    "judge_isolation_degraded", "Reasons why boxes isolate or measure less than they could"
)
EXECUTING = gauge("judge_exec_inflight", "Judgements under way")
EXECUTIONS = counter("judge_exec", "Judgements", ("result",), known=zip(_RESULTS))
VERDICTS = counter("judge_verdict", "Verdicts reached by judging", ("verdict",), known=zip(Verdict))
PROTOCOL_ERRORS = counter(
    "judge_protocol_errors",
    "Answers of the sandbox that make no sense",
    ("reason",),
    known=zip(get_args(Reason)),
)
TRUNCATED = counter(
    "judge_output_truncated", "Outputs cut at their limit", ("stream",), known=[("stdout",), ("stderr",)]
)
CACHE = counter("judge_cache", "Look-ups in the judge cache", ("result",), known=[("hit",), ("miss",)])
FALLBACKS = counter("judge_sandbox_fallback", "Boxes made by the one-shot command in the agent's stead")
STEP_SECONDS = histogram("judge_step_seconds", "Length of one step of a judgement", ("step",))
CLAIMS = counter("worker_claim", "Claims", ("status", "reason"), known=_ASKED)
RECLAIMS = counter("worker_reclaim", "Reclaims of jobs of lost workers", ("status", "reason"), known=_ASKED)
RECLAIM_MS = histogram("worker_reclaim_latency_ms", "Time to reclaim a job", bounds=MILLISECONDS)
RECLAIMING = gauge("worker_reclaim_inflight", "Reclaims under way")
HEARTBEATS = counter("worker_lease_heartbeat", "Leases prolonged or not", ("status", "reason"), known=_ASKED)
STALE = counter("worker_stale_attempt", "Results of attempts that were overtaken")
FINALIZED = counter(
    "worker_finalize", "Results sent to record", ("status",), known=zip(("ok", "rejected", "error"))
)
FINALIZE_REJECTED = counter(
    "worker_finalize_rejected", "Results that record refused", ("reason",), known=zip(SubmissionRefusal)
)
FINALIZE_ERRORS = counter("worker_finalize_errors", "Results that record could not be given")
FINALIZE_MS = histogram("worker_finalize_latency_ms", "Time to write a result", bounds=MILLISECONDS)


_log = logging.getLogger(__name__)


class TelemetryObserver:
    def __init__(self) -> None:
        self._executing = 0
        self._reclaiming = 0
        EXECUTING.set(0)
        RECLAIMING.set(0)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        with tracer(__name__).start_as_current_span(f"judge {name}"), bind(stage=name):
            yield
            seconds = time.perf_counter() - begun
            STEP_SECONDS.record(seconds, step=name)
            _log.info("step done", extra={"ms": round(seconds * 1000, 1)})

    def part(self, kind: str, name: str) -> AbstractContextManager[object]:
        """A span and no more: where nobody is sent it, it costs a look at the trace."""
        if not is_traced():
            return nullcontext()
        return tracer(__name__).start_as_current_span(f"judge {kind}", attributes={kind: name})

    @contextmanager
    def job(self, ref: RunRef, language: str) -> Iterator[None]:
        with bind(job_id=ref.job_id, submission_id=ref.job_id, attempt_id=ref.attempt_id, language=language):
            yield

    @contextmanager
    def executing(self) -> Iterator[None]:
        self._executing += 1
        EXECUTING.set(self._executing)
        try:
            yield
        finally:
            self._executing -= 1
            EXECUTING.set(self._executing)

    @contextmanager
    def reclaiming(self) -> Iterator[None]:
        self._reclaiming += 1
        RECLAIMING.set(self._reclaiming)
        try:
            yield
        finally:
            self._reclaiming -= 1
            RECLAIMING.set(self._reclaiming)

    def executed(self, report: RunReport) -> None:
        for stream, truncated in (("stdout", report.stdout_truncated), ("stderr", report.stderr_truncated)):
            if truncated:
                TRUNCATED.add(stream=stream)

    def executed_job(self, result: str, seconds: float) -> None:
        EXECUTIONS.add(result=result)
        EXECUTION_SECONDS.record(seconds, result=result)

    def cache(self, *, hit: bool) -> None:
        CACHE.add(result="hit" if hit else "miss")

    def judged(self, result: JudgeResult) -> None:
        VERDICTS.add(verdict=str(result.verdict))

    def claimed(self, status: str, reason: str, *, reclaim: bool, seconds: float) -> None:
        if not reclaim:
            CLAIMS.add(status=status, reason=str(reason))
            return
        RECLAIMS.add(status=status, reason=str(reason))
        RECLAIM_MS.record(seconds * 1000)

    def heartbeat(self, status: str, reason: str) -> None:
        HEARTBEATS.add(status=status, reason=str(reason))

    def finalized(self, status: str, reason: str, seconds: float) -> None:
        FINALIZED.add(status=status)
        FINALIZE_MS.record(seconds * 1000)
        if status == "error":
            FINALIZE_ERRORS.add()
        if status == "rejected":
            FINALIZE_REJECTED.add(reason=str(reason))
        if reason == "stale_attempt":
            STALE.add()

    def protocol_error(self, reason: str) -> None:
        PROTOCOL_ERRORS.add(reason=reason)

    def fell_back(self) -> None:
        FALLBACKS.add()
