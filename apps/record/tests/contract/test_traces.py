"""What is told of a submission is told in its own trace, however many share a call."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import AbstractContextManager
from uuid import uuid4

import pytest
from opentelemetry import trace

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.retry import Failure
from deepoj_domain.testing import ALICE, QUESTION, a_result
from deepoj_kit.telemetry import parent_from
from deepoj_kit.testing.streams import entries
from deepoj_record.commands.finalize import FinishedAttempt
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.submit import Accepted, SubmitRequest
from deepoj_record.container import Container

WORKER = WorkerId("judge-1")


async def test_lines_and_messages_of_a_batch_carry_the_trace_of_each_submission(
    container: Container, caplog: pytest.LogCaptureFixture
) -> None:
    ids = [await submitted(container, number) for number in range(1, 6)]
    traces = {str(key): traceparent(number) for number, key in enumerate(ids, 1)}
    *judged, poison = ids
    workers = container.worker_use_cases()
    with caplog.at_level(logging.DEBUG), in_trace(99):
        await workers.claim(WORKER, ids)
        await workers.finalize(WORKER, [FinishedAttempt(job, 1, a_result()) for job in judged])
        await workers.finalize(WORKER, [FinishedAttempt(job, 1, a_result()) for job in judged])
        await workers.report_failure(WORKER, [FailedAttempt(poison, 1, Failure.POLICY_VIOLATION, "no")])
    lines = [vars(line) for line in caplog.records if "job_id" in vars(line)]
    assert [line["stage"] for line in lines] == ["claim"] * 5 + ["finalize"] * 8 + ["report_failure"]
    assert {(line["job_id"], line["traceparent"]) for line in lines} == set(traces.items())
    await container.relay().deliver_due()
    streams = container.streams()
    told = [fields for _, fields in await entries(container.redis(), streams.submission_events)]
    about = [(json.loads(fields["data"])["submission"]["id"], fields["traceparent"]) for fields in told]
    assert len(about) == 3 * len(traces), "submitted, started, judged or dead"
    assert set(about) == set(traces.items())
    [(_, letter)] = await entries(container.redis(), streams.dead_letters)
    assert letter["traceparent"] == traces[letter["job_id"]]


async def test_submissions_stored_together_keep_their_own_traces(container: Container) -> None:
    ids = await asyncio.gather(*(submitted(container, number) for number in range(1, 30)))
    stored = await container.submissions().load(ids)
    assert [stored[key].traceparent for key in ids] == [traceparent(number) for number in range(1, 30)]


async def submitted(container: Container, number: int) -> SubmissionId:
    request = SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=None,
        language="cpp17",
        source="int main() {}",
    )
    with in_trace(number):
        outcome = await container.submission_use_cases().submit(request)
    assert isinstance(outcome, Accepted)
    return outcome.submission_id


def in_trace(number: int) -> AbstractContextManager[object]:
    return trace.use_span(trace.get_current_span(parent_from(traceparent(number))))


def traceparent(number: int) -> str:
    return f"00-{number:032x}-{number:016x}-01"
