"""Every step leaves a line with its ids, and numbers without any."""

from __future__ import annotations

import logging

import pytest

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.submission.claim import claim
from deepoj_domain.submission.fail import report_failure
from deepoj_domain.submission.finalize import finalize
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.states import Status
from deepoj_domain.submission.submission import SubmissionRefusal
from deepoj_domain.testing import (
    NOW,
    OTHER_WORKER,
    RETRY,
    SUBMISSION,
    TERMS,
    WORKER,
    a_result,
    a_submission,
)
from deepoj_kit.telemetry import Counter, Histogram
from deepoj_record.commands.ports import Step
from deepoj_record.outbound import journal
from deepoj_record.outbound.journal import TelemetryJournal


def test_a_change_is_told_with_job_attempt_and_stage(caplog: pytest.LogCaptureFixture) -> None:
    outcome = claim(a_submission(), WORKER, TERMS, RETRY, NOW)
    assert not isinstance(outcome, Refused)
    with caplog.at_level(logging.INFO):
        TelemetryJournal().changed(Step.CLAIM, outcome.after, outcome.events)
    [line] = caplog.records
    said = vars(line)
    assert (said["job_id"], said["attempt_id"], said["stage"], said["worker"]) == (
        str(SUBMISSION), 1, "claim", WORKER,
    )  # fmt: skip


def test_a_refusal_is_told_with_who_asked_why_not_and_what_was_found(
    caplog: pytest.LogCaptureFixture,
) -> None:
    running = a_submission(Status.RUNNING)
    refusal = finalize(running, 1, OTHER_WORKER, a_result(), NOW)
    assert isinstance(refusal, Refused)
    with caplog.at_level(logging.INFO):
        TelemetryJournal().refused(Step.FINALIZE, SUBMISSION, refusal)
    [line] = caplog.records
    told = {
        "job_id": str(SUBMISSION),
        "attempt_id": 1,
        "stage": "finalize",
        "reason": "lease_lost_or_owner_mismatch",
        "detail": "status RUNNING, attempt 1",
        "db_attempt_id": 1,
        "db_status": "RUNNING",
        "db_lease_owner": WORKER,
        "db_lease_until": (NOW + TERMS.duration).isoformat(),
    }
    assert vars(line).items() >= told.items()


def test_heartbeats_are_not_told_at_the_usual_level(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        TelemetryJournal().changed(Step.HEARTBEAT, a_submission(), ())
    assert caplog.records == []


def test_inv_6_no_number_of_record_has_a_label_per_job() -> None:
    """The kit refuses such labels when an instrument is made; this names what labels there are."""
    made = [*journal._STEPS.values(), *vars(journal).values()]  # noqa: SLF001 — the module under test
    instruments = [each for each in made if isinstance(each, Counter | Histogram)]
    labels = set().union(*(each._labels.names for each in instruments))  # noqa: SLF001 — same
    assert labels == {"status", "reason", "verdict", "lane", "band", "cause", "failure"}


def test_a_failed_attempt_is_counted_by_the_class_of_its_failure() -> None:
    claimed = claim(a_submission(), WORKER, TERMS, RETRY, NOW)
    assert not isinstance(claimed, Refused)
    failed = report_failure(
        claimed.after, 1, WORKER, Failure.SANDBOX_CRASH, error="gone", retry=RETRY, now=NOW
    )
    assert not isinstance(failed, Refused)
    totals = journal._FAILED._totals  # noqa: SLF001 — the module under test
    before = dict(totals)
    TelemetryJournal().changed(Step.REPORT_FAILURE, failed.after, failed.events)
    key = (("failure", "sandbox_crash"),)
    assert totals == before | {key: before[key] + 1}


@pytest.mark.parametrize("step", Step)
def test_every_step_can_be_counted(step: Step) -> None:
    TelemetryJournal().changed(step, a_submission(), ())
    TelemetryJournal().refused(step, None, Refused(SubmissionRefusal.NOT_FOUND))
