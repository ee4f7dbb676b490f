"""The metrics of a judge worker, under the names operators know. A counter's name gains `_total`."""

from __future__ import annotations

from typing import Final, get_args

from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.refusal import SubmissionRefusal
from deepoj_judgement.outbound.sandbox.judge_json import Reason
from deepoj_kit.telemetry import counter, gauge, histogram

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
