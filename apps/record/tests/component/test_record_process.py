"""Record as processes: what clients, workers and operators see of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from apps.record.tests.people import OWNER, a_request, claimed, finalize, ref
from deepoj_domain.testing import a_result
from deepoj_kit.grpc import Kind, RemoteError
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import Service, ServiceStarter, http_get
from deepoj_proto.record.v1 import record_pb2
from deepoj_record.inbound.grpc.judge_results import write_result

Queued = Callable[[int], Awaitable[list[dict[str, str]]]]

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


async def test_a_submission_from_submit_to_verdict(
    record: RecordServiceAsyncStub,
    worker: WorkerServiceAsyncStub,
    queued: Queued,
    serving: Service,
) -> None:
    request = a_request()
    watching = asyncio.create_task(statuses(record, request.submission_id))
    said = await record.Submit(request, metadata=(("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01"),))
    assert (said.submission_id, said.repeated) == (request.submission_id, False)
    assert (await record.Submit(request)).repeated
    [message] = await queued(1)
    assert message["job_id"] == request.submission_id
    assert TRACE in message["traceparent"]

    job = await claimed(worker, request.submission_id)
    assert (job.attempt_id, job.question_revision, job.source) == (1, 3, request.source)
    assert TRACE in job.traceparent
    beat = await worker.Heartbeat(
        record_pb2.HeartbeatRequest(worker="w1", attempts=[ref(request.submission_id)])
    )
    assert beat.outcomes[0].WhichOneof("outcome") == "lease_until"
    finished = await finalize(worker, request.submission_id)
    assert finished.written.status == record_pb2.STATUS_FINISHED
    again = await finalize(worker, request.submission_id)
    assert again == finished, "a repeated write-back is answered as the first time"

    got = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=request.submission_id))
    assert got.submission.result == write_result(a_result())
    assert got.submission.source == request.source
    assert [attempt.outcome for attempt in got.attempts] == ["finished"]
    seen = await watching
    assert seen[-1] == record_pb2.STATUS_FINISHED
    assert sorted(seen) == seen
    lines = [line for line in log(serving) if line.get("job_id") == request.submission_id]
    steps = [(line["stage"], line.get("attempt_id")) for line in lines if line["stage"] != "heartbeat"]
    # The repeated submit has no attempt, and the repeated finalize is refused to the same one.
    told = [step for step in steps if step[1] is not None]
    assert told == [("submit", 0), ("claim", 1), ("finalize", 1), ("finalize", 1)]
    assert all(line["trace_id"] for line in lines)
    assert next(line for line in lines if line["stage"] == "submit")["trace_id"] == TRACE
    assert request.source not in serving.process.log.read_text()


async def statuses(record: RecordServiceAsyncStub, submission_id: str) -> list[int]:
    """Return what whoever keeps looking sees, until the verdict."""
    seen: list[int] = []
    while record_pb2.STATUS_FINISHED not in seen:
        try:
            got = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=submission_id))
        except RemoteError as error:
            assert error.kind is Kind.NOT_FOUND  # noqa: PT017 — before it is submitted
        else:
            seen.append(got.submission.status)
    return seen


async def test_inv_6_metrics_carry_no_id_and_logs_do(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, serving: Service, relaying: Service
) -> None:
    request = a_request()
    await record.Submit(request)
    await claimed(worker, request.submission_id)
    await worker.Claim(record_pb2.ClaimRequest(worker="w1", job_ids=[request.submission_id]))
    await finalize(worker, request.submission_id)
    await finalize(worker, request.submission_id, attempt=7)
    page = http_get(f"{serving.ops_url}/metrics")[1]
    for line in (
        'record_submit_total{reason="",status="ok"} 1.0',
        'record_claim_total{reason="",status="ok"} 1.0',
        'record_claim_total{reason="lease_still_valid",status="refused"} 1.0',
        'record_finalize_total{status="ok"} 1.0',
        'record_finalize_rejected_total{reason="unknown_attempt"} 1.0',
        'record_verdict_total{lane="heavy",verdict="AC"} 1.0',
    ):
        assert line in page
    await eventually(lambda: "record_queue_depth" in http_get(f"{relaying.ops_url}/metrics")[1])
    for text in (page, http_get(f"{relaying.ops_url}/metrics")[1]):
        assert request.submission_id not in text
        assert not re.search(r"[{,](job|submission|attempt|trace|user)_id=", text)
    assert request.submission_id in serving.process.log.read_text()


async def test_settings_that_contradict_each_other_are_named(
    start_service: ServiceStarter, settings: dict[str, str]
) -> None:
    wrong = start_service("deepoj_record", settings | {"heartbeat": "50s"}, wait=False)
    await eventually(lambda: wrong.process.exit_code() == 1)
    assert "one lost heartbeat must not lose the lease" in wrong.process.log.read_text()


def log(service: Service) -> list[dict[str, object]]:
    return [json.loads(line) for line in service.process.log.read_text().splitlines() if line.startswith("{")]
