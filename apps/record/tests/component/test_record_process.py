"""Record as processes: what clients, workers and operators see of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, cast
from uuid import uuid4

import grpc
import psycopg
import pytest
from redis.asyncio import Redis

from deepoj_domain.submission.routing import Band, Lane
from deepoj_domain.testing import ALICE, BOB, QUESTION, a_result
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter, http_get
from deepoj_kit.testing.waiting import eventually
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub
from deepoj_record.inbound.grpc.encode import judge_result
from deepoj_record.outbound.redis.streams import Streams

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

OWNER = common_pb2.Actor(account_id=str(ALICE), role=common_pb2.ROLE_CONTESTANT)
OTHER = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_CONTESTANT)
ADMIN = common_pb2.Actor(account_id=str(BOB), role=common_pb2.ROLE_ADMIN)
GUEST = common_pb2.Actor(role=common_pb2.ROLE_GUEST)
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


@pytest.fixture
def record(channel: grpc.aio.Channel) -> RecordServiceAsyncStub:
    return RecordServiceStub(channel)


@pytest.fixture
def worker(channel: grpc.aio.Channel) -> WorkerServiceAsyncStub:
    return WorkerServiceStub(channel)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis


async def test_a_submission_from_submit_to_verdict(
    record: RecordServiceAsyncStub,
    worker: WorkerServiceAsyncStub,
    redis: Redis,
    env: str,
    serving: Service,
) -> None:
    request = a_request()
    watching = asyncio.create_task(statuses(record, request.submission_id))
    said = await record.Submit(request, metadata=(("traceparent", f"00-{TRACE}-00f067aa0ba902b7-01"),))
    assert (said.submission_id, said.repeated) == (request.submission_id, False)
    assert (await record.Submit(request)).repeated
    [message] = await messages(redis, env, 1)
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
    assert again.refused == record_pb2.REFUSAL_REASON_ALREADY_FINISHED

    got = await record.Get(record_pb2.GetRequest(actor=OWNER, submission_id=request.submission_id))
    assert got.submission.result == judge_result(a_result())
    assert got.submission.source == request.source
    assert [attempt.outcome for attempt in got.attempts] == ["finished"]
    seen = await watching
    assert seen[-1] == record_pb2.STATUS_FINISHED
    assert sorted(seen) == seen
    lines = [line for line in log(serving) if line.get("job_id") == request.submission_id]
    steps = [(line["stage"], line.get("attempt_id")) for line in lines if line["stage"] != "heartbeat"]
    assert [step for step in steps if step[1] is not None] == [("submit", 0), ("claim", 1), ("finalize", 1)]
    assert all(line["trace_id"] for line in lines)
    assert next(line for line in lines if line["stage"] == "submit")["trace_id"] == TRACE
    assert request.source not in serving.process.log.read_text()


async def statuses(record: RecordServiceAsyncStub, submission_id: str) -> list[int]:
    while True:
        watch = record.Watch(record_pb2.WatchRequest(actor=OWNER, submission_id=submission_id))
        try:
            return [answer.submission.status async for answer in watch]
        except RemoteError as error:
            assert error.kind is Kind.NOT_FOUND  # noqa: PT017 — before it is submitted


@pytest.mark.parametrize(
    ("change", "kind", "reason"),
    [
        ({"source": ""}, Kind.INVALID, "source_empty"),
        ({"source": "a\0"}, Kind.INVALID, "source_has_nul"),
        ({"source": "x" * (64 * 1024 + 1)}, Kind.INVALID, "source_too_large"),
        ({"source": "x" * (32 * 1024 + 1)}, Kind.INVALID, "source_too_large"),
        ({"language": "Cobol!"}, Kind.INVALID, "language_malformed"),
        ({"language": "cobol"}, Kind.INVALID, "unknown_language"),
        ({"language": "rust"}, Kind.INVALID, "language_not_allowed"),
        ({"question_id": str(ALICE)}, Kind.NOT_FOUND, "unknown_question"),
        ({"question_id": "7"}, Kind.INVALID, "question_id_malformed"),
        ({"submission_id": ""}, Kind.INVALID, "submission_id_malformed"),
        ({"game_id": "7"}, Kind.INVALID, "game_id_malformed"),
        ({"idempotency_key": "\n"}, Kind.INVALID, "idempotency_key_malformed"),
        ({"actor": GUEST}, Kind.FORBIDDEN, "sign_in_required"),
    ],
)
async def test_bad_input_is_refused_with_a_reason_and_stores_nothing(
    record: RecordServiceAsyncStub, record_url: str, change: dict[str, object], kind: Kind, reason: str
) -> None:
    request = a_request()
    for name, value in change.items():
        if isinstance(value, common_pb2.Actor):
            request.actor.CopyFrom(value)
        else:
            setattr(request, name, value)
    with pytest.raises(RemoteError) as refused:
        await record.Submit(request)
    assert (refused.value.kind, refused.value.reason) == (kind, reason)
    assert rows(record_url) == 0


async def test_a_key_used_for_another_body_is_a_conflict(record: RecordServiceAsyncStub) -> None:
    await record.Submit(a_request(key="k"))
    other = a_request(key="k")
    other.source = "something else"
    with pytest.raises(RemoteError) as refused:
        await record.Submit(other)
    assert (refused.value.kind, refused.value.reason) == (Kind.CONFLICT, "idempotency_key_reused")


async def test_other_peoples_submissions_stay_theirs(record: RecordServiceAsyncStub) -> None:
    practice, contest = a_request(), a_request()
    contest.game_id = str(uuid4())
    for request in (practice, contest):
        await record.Submit(request)
    outline = await record.Get(record_pb2.GetRequest(actor=OTHER, submission_id=practice.submission_id))
    assert outline.submission.source == ""
    own = record_pb2.CancelRequest(actor=OTHER, submission_id=practice.submission_id)
    assert await refusal(record.Cancel(own)) == (Kind.FORBIDDEN, "not_owner")
    hidden = (Kind.NOT_FOUND, "not_found")
    for actor, job in ((OTHER, contest), (GUEST, practice)):
        asked = record_pb2.GetRequest(actor=actor, submission_id=job.submission_id)
        assert await refusal(record.Get(asked)) == hidden
    stop = record_pb2.CancelRequest(actor=OTHER, submission_id=contest.submission_id)
    assert await refusal(record.Cancel(stop)) == hidden
    cancelled = await record.Cancel(
        record_pb2.CancelRequest(actor=ADMIN, submission_id=contest.submission_id)
    )
    assert cancelled.submission.status == record_pb2.STATUS_CANCELLED
    assert cancelled.submission.reason == "cancelled_by_staff"


async def test_a_worker_that_asks_wrongly_is_told_so(worker: WorkerServiceAsyncStub) -> None:
    job = str(uuid4())
    wrong: list[tuple[record_pb2.ClaimRequest, str]] = [
        (record_pb2.ClaimRequest(worker="", job_ids=[job]), "worker_malformed"),
        (record_pb2.ClaimRequest(worker="w"), "batch_size"),
        (record_pb2.ClaimRequest(worker="w", job_ids=[str(uuid4()) for _ in range(257)]), "batch_size"),
        (record_pb2.ClaimRequest(worker="w", job_ids=[job, job]), "job_twice"),
        (record_pb2.ClaimRequest(worker="w", job_ids=["garbage"]), "job_id_malformed"),
    ]
    for request, reason in wrong:
        with pytest.raises(RemoteError) as refused:
            await worker.Claim(request)
        assert (refused.value.kind, refused.value.reason) == (Kind.INVALID, reason)
    unknown = await worker.Claim(record_pb2.ClaimRequest(worker="w", job_ids=[job]))
    assert unknown.outcomes[0].refused == record_pb2.REFUSAL_REASON_NOT_FOUND
    failed = record_pb2.ReportFailureRequest(worker="w", jobs=[record_pb2.FailedJob(attempt=ref(job))])
    with pytest.raises(RemoteError) as no_reason:
        await worker.ReportFailure(failed)
    assert no_reason.value.reason == "failure_unknown"


async def test_stalled_job_recovered_by_watchdog(
    record: RecordServiceAsyncStub,
    worker: WorkerServiceAsyncStub,
    relaying: Service,
    redis: Redis,
    env: str,
) -> None:
    """A worker claims and dies, and Redis forgets everything: the job is sent again and finished."""
    request = a_request()
    await record.Submit(request)
    await messages(redis, env, 1)
    await claimed(worker, request.submission_id)
    await redis.delete(stream(env))
    [message] = await messages(redis, env, 1)
    assert message["job_id"] == request.submission_id
    again = record_pb2.ReclaimRequest(worker="w2", job_ids=[request.submission_id])
    [taken] = (await worker.Reclaim(again)).outcomes
    assert taken.claimed.attempt_id == 2
    late = await finalize(worker, request.submission_id)
    assert late.refused == record_pb2.REFUSAL_REASON_STALE_ATTEMPT
    done = await finalize(worker, request.submission_id, attempt=2, name="w2")
    assert done.written.status == record_pb2.STATUS_FINISHED
    assert relaying.readiness()[0] == 200


async def test_inv_2_what_was_answered_is_committed_and_survives_a_kill(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub, serving: Service, record_url: str
) -> None:
    """The worker acknowledges its message after this answer, so nothing may be left to do by then."""
    request = a_request()
    await record.Submit(request)
    await claimed(worker, request.submission_id)
    await finalize(worker, request.submission_id)
    serving.process.kill()
    with psycopg.connect(record_url) as connection:
        stored = connection.execute("SELECT status, attempt_id, verdict FROM record.submissions").fetchall()
        judged = connection.execute(
            "SELECT count(*) FROM record.outbox WHERE payload->>'type' = 'submission.judged.v1'"
        ).fetchall()
    assert stored == [("FINISHED", 1, "AC")]
    assert judged == [(1,)]


async def test_everything_queued_comes_back_after_redis_lost_it(
    record: RecordServiceAsyncStub, relaying: Service, redis: Redis, env: str
) -> None:
    ids = [a_request() for _ in range(20)]
    for request in ids:
        await record.Submit(request)
    await messages(redis, env, 20)
    await redis.delete(stream(env))
    again = await messages(redis, env, 20)
    assert {message["job_id"] for message in again} == {request.submission_id for request in ids}
    assert relaying.readiness()[0] == 200


async def test_outbox_survives_enqueue_failure(
    start_service: ServiceStarter, settings: dict[str, str], private_redis: PrivateServer, env: str
) -> None:
    """Redis is away during the submit and the serving process dies: the relay delivers, once."""
    with_redis = settings | {"redis_url": private_redis.url}
    private_redis.kill()
    serving = start_service("deepoj_record", with_redis)
    request = a_request()
    async with connect(serving.address, Secret(TOKEN)) as channel:
        stub: RecordServiceAsyncStub = RecordServiceStub(channel)
        await stub.Submit(request)
    serving.process.kill()
    private_redis.start()
    start_service("deepoj_record", with_redis, role="relay")
    redis = Redis.from_url(private_redis.url, protocol=2)
    [message] = await messages(redis, env, 1)
    assert message["job_id"] == request.submission_id
    await redis.aclose()


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


async def test_a_watch_does_not_hold_the_graceful_stop(
    record: RecordServiceAsyncStub, serving: Service
) -> None:
    request = a_request()
    await record.Submit(request)
    watch = record.Watch(record_pb2.WatchRequest(actor=OWNER, submission_id=request.submission_id))
    first = await anext(aiter(watch))
    assert first.submission.id == request.submission_id
    await asyncio.to_thread(serving.process.stop)
    assert serving.process.exit_code() == 0


async def test_settings_that_contradict_each_other_are_named(
    start_service: ServiceStarter, settings: dict[str, str]
) -> None:
    wrong = start_service("deepoj_record", settings | {"heartbeat": "5s"}, wait=False)
    await eventually(lambda: wrong.process.exit_code() == 1)
    assert "one lost heartbeat must not lose the lease" in wrong.process.log.read_text()


def a_request(key: str = "") -> record_pb2.SubmitRequest:
    return record_pb2.SubmitRequest(
        actor=OWNER,
        submission_id=str(uuid4()),
        idempotency_key=key,
        question_id=str(QUESTION),
        language="cpp17",
        source="int main() { return 42; }",
    )


def ref(job: str, attempt: int = 1) -> record_pb2.AttemptRef:
    return record_pb2.AttemptRef(job_id=job, attempt_id=attempt)


async def claimed(worker: WorkerServiceAsyncStub, job: str) -> record_pb2.ClaimedJob:
    [outcome] = (await worker.Claim(record_pb2.ClaimRequest(worker="w1", job_ids=[job]))).outcomes
    assert outcome.WhichOneof("outcome") == "claimed"
    return outcome.claimed


async def finalize(
    worker: WorkerServiceAsyncStub, job: str, attempt: int = 1, name: str = "w1"
) -> record_pb2.WriteOutcome:
    finished = record_pb2.FinishedJob(attempt=ref(job, attempt), result=judge_result(a_result()))
    return (await worker.Finalize(record_pb2.FinalizeRequest(worker=name, jobs=[finished]))).outcomes[0]


async def refusal(call: Awaitable[object]) -> tuple[Kind, str]:
    with pytest.raises(RemoteError) as refused:
        await call
    return refused.value.kind, refused.value.reason


def stream(env: str) -> str:
    return Streams(env).jobs(Lane.HEAVY, Band.NORMAL)


async def messages(redis: Redis, env: str, count: int) -> list[dict[str, str]]:
    async def arrived() -> bool:
        return await redis.xlen(stream(env)) >= count

    await eventually(arrived)
    found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await redis.xrange(stream(env)))
    return [{name.decode(): value.decode() for name, value in fields.items()} for _, fields in found]


def log(service: Service) -> list[dict[str, object]]:
    return [json.loads(line) for line in service.process.log.read_text().splitlines() if line.startswith("{")]


def rows(record_url: str) -> int:
    with psycopg.connect(record_url) as connection:
        found = connection.execute("SELECT count(*) FROM record.submissions").fetchone()
    assert found is not None
    return int(found[0])
