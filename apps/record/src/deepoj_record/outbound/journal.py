"""Every step as a log line and as numbers. Ids go into the line and never onto a number (INV-6)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import DomainEvent, Refused
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.events import (
    SubmissionDied,
    SubmissionJudged,
    SubmissionQueued,
    SubmissionStarted,
)
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Lane
from deepoj_domain.submission.states import DeathCause
from deepoj_domain.submission.submission import Submission, SubmissionRefusal
from deepoj_kit.telemetry import Counter, counter, histogram
from deepoj_record.commands.ports import Step

_log = logging.getLogger(__name__)
_LONG: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0)

_STEPS: Final[Mapping[Step, Counter]] = {
    step: counter(f"record_{step}", f"Outcomes of {step}", ("status", "reason"))
    for step in Step
    if step is not Step.FINALIZE
}
_FINALIZE = counter("record_finalize", "Outcomes of finalize", ("status",), known=[("ok",), ("refused",)])
_FINALIZE_REJECTED = counter(
    "record_finalize_rejected", "Refused write-backs", ("reason",), known=zip(SubmissionRefusal)
)
_FAILED = counter(
    "record_failed_attempt", "Attempts that ended without a result", ("failure",), known=zip(Failure)
)
_STALE = counter("record_stale_attempt", "Write-backs of an attempt that is no longer the last")
_VERDICTS = counter("record_verdict", "Judged submissions", ("verdict", "lane"), known=product(Verdict, Lane))
_QUEUED = counter("record_queued", "Messages owed to the queue", ("lane", "band", "cause"))
_DEAD = counter("record_dead", "Submissions given up", ("cause", "lane"), known=product(DeathCause, Lane))
_WAIT = histogram(
    "record_wait_seconds", "From submit or rejudge to the first claim", ("lane", "band"), bounds=_LONG
)
_RUN = histogram("record_run_seconds", "From the last claim to the verdict", ("lane",), bounds=_LONG)


class TelemetryJournal:
    def changed(
        self, step: Step, after: Submission, events: Sequence[DomainEvent], traceparent: str = ""
    ) -> None:
        if step is Step.FINALIZE:
            _FINALIZE.add(status="ok")
        else:
            _STEPS[step].add(status="ok", reason="")
        if step is Step.REPORT_FAILURE:
            for failed in after.attempts[-1:]:
                _FAILED.add(failure=failed.reason)
        for event in events:
            _count(event, after)
        level = logging.DEBUG if step is Step.HEARTBEAT else logging.INFO
        _log.log(level, "%s: %s is %s", step, after.id, after.status, extra=_fields(step, after, traceparent))

    def refused(
        self,
        step: Step,
        submission_id: SubmissionId | None,
        refusal: Refused[StrEnum],
        traceparent: str = "",
    ) -> None:
        if step is Step.FINALIZE:
            _FINALIZE.add(status="refused")
            _FINALIZE_REJECTED.add(reason=refusal.reason)
        else:
            _STEPS[step].add(status="refused", reason=refusal.reason)
        if refusal.reason == SubmissionRefusal.STALE_ATTEMPT:
            _STALE.add()
        _log.info(
            "%s refused: %s",
            step,
            refusal.reason,
            extra={
                "traceparent": traceparent,
                "job_id": str(submission_id or ""),
                "stage": step,
                "reason": refusal.reason,
                "detail": refusal.detail,
                **refusal.facts,
            },
        )

    def repeated(self, step: Step, submission_id: SubmissionId) -> None:
        _STEPS[step].add(status="repeated", reason="")
        _log.info("%s repeated", step, extra={"job_id": str(submission_id), "stage": step})


def _count(event: DomainEvent, after: Submission) -> None:
    lane, band = after.route.lane, after.route.band
    match event:
        case SubmissionStarted() if event.attempt_id == 1:
            # A rejudge and a replay keep the time of the first submit, and have waited only since their own.
            since = after.message_due if after.is_fresh else after.order.submitted_at
            waited = event.occurred_at - since
            _WAIT.record(max(0.0, waited.total_seconds()), lane=lane, band=band)
        case SubmissionJudged():
            _VERDICTS.add(verdict=event.outcome.verdict, lane=lane)
            ran = event.occurred_at - after.attempts[-1].started_at
            _RUN.record(max(0.0, ran.total_seconds()), lane=lane)
        case SubmissionDied():
            _DEAD.add(cause=event.cause, lane=lane)
        case SubmissionQueued():
            _QUEUED.add(lane=event.lane, band=event.band, cause=event.cause)
        case _:
            pass


def _fields(step: Step, after: Submission, traceparent: str) -> dict[str, object]:
    last = after.attempts[-1] if after.attempts else None
    return {
        "traceparent": traceparent,
        "job_id": str(after.id),
        "submission_id": str(after.id),
        "attempt_id": after.attempt_id,
        "user_id": str(after.order.account_id),
        "language": after.order.language,
        "status": after.status,
        "stage": step,
        "worker": last.worker if last else "",
        "reason": last.reason if last else "",
    }
