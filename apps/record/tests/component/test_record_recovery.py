"""Whatever dies or forgets: nothing accepted is lost, and each job ends once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, cast

import psycopg
from redis.asyncio import Redis

from apps.record.tests.people import a_request, claimed, finalize, ref
from deepoj_domain.streams import Streams
from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub

Queued = Callable[[int], Awaitable[list[dict[str, str]]]]

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


async def test_stalled_job_recovered_by_watchdog(
    record: RecordServiceAsyncStub,
    worker: WorkerServiceAsyncStub,
    relaying: Service,
    queued: Queued,
    redis: Redis,
    jobs: str,
    start_service: ServiceStarter,
    settings: dict[str, str],
) -> None:
    """A worker claims and dies, and Redis forgets everything: the job is sent again and finished."""
    request = a_request()
    await record.Submit(request)
    await queued(1)
    # The lost worker's lease is short, and the heir's is not: it has to write its result in time.
    hasty = start_service("deepoj_record", settings | {"lease": "1s", "heartbeat": "400ms"})
    async with connect(hasty.address, Secret(TOKEN)) as channel:
        await claimed(WorkerServiceStub(channel), request.submission_id)
    await redis.delete(jobs)
    [message] = await queued(1)
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
    record: RecordServiceAsyncStub, relaying: Service, queued: Queued, redis: Redis, jobs: str
) -> None:
    ids = [a_request() for _ in range(20)]
    for request in ids:
        await record.Submit(request)
    await queued(20)
    await redis.delete(jobs)
    again = await queued(20)
    assert {message["job_id"] for message in again} == {request.submission_id for request in ids}
    assert relaying.readiness()[0] == 200


async def test_the_relay_goes_on_when_its_watchdog_may_not_look_at_a_queue(
    record: RecordServiceAsyncStub, relaying: Service, queued: Queued, redis: Redis, jobs: str
) -> None:
    request = a_request()
    await record.Submit(request)
    await queued(1)
    await redis.set(jobs, "no stream")
    await eventually(lambda: "sweep is put off" in relaying.log())
    await redis.delete(jobs)
    [message] = await queued(1)
    assert message["job_id"] == request.submission_id
    assert relaying.readiness()[0] == 200


async def test_outbox_survives_enqueue_failure(
    start_service: ServiceStarter, settings: dict[str, str], private_redis: PrivateServer, jobs: str
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
    async with Redis.from_url(private_redis.url, protocol=2, decode_responses=True) as redis:

        async def delivered() -> bool:
            return await redis.xlen(jobs) == 1

        await eventually(delivered)
        assert request.submission_id in str(await redis.xrange(jobs))


async def test_retryable_errors_backoff_and_cap(
    record: RecordServiceAsyncStub,
    worker: WorkerServiceAsyncStub,
    relaying: Service,
    queued: Queued,
    redis: Redis,
    jobs: str,
    env: str,
) -> None:
    """Three attempts, each after its back-off; then a dead letter."""
    job = (await record.Submit(a_request())).submission_id
    for attempt, delay in ((1, 200), (2, 400)):
        [*_, message] = await queued(attempt)
        assert (await claimed(worker, job)).attempt_id == attempt
        assert (await fail(worker, job, attempt)).status == record_pb2.STATUS_PENDING
        [*_, again] = await queued(attempt + 1)
        assert int(again["enqueue_ts"]) >= int(message["enqueue_ts"]) + delay
        # An entry's own id is the time at which Redis took it: not before its back-off was over.
        newest = cast("list[tuple[bytes, object]]", await redis.xrevrange(jobs, count=1))
        assert int(newest[0][0].partition(b"-")[0]) >= int(again["enqueue_ts"])
    assert (await claimed(worker, job)).attempt_id == 3
    assert (await fail(worker, job, 3)).status == record_pb2.STATUS_DEAD
    await eventually(lambda: has_entry(redis, Streams(env).dead_letters))
    assert relaying.readiness()[0] == 200


async def fail(worker: WorkerServiceAsyncStub, job: str, attempt: int) -> record_pb2.Written:
    failed = record_pb2.FailedJob(
        attempt=ref(job, attempt), failure=record_pb2.FAILURE_SANDBOX_CRASH, error="crashed"
    )
    said = await worker.ReportFailure(record_pb2.ReportFailureRequest(worker="w1", jobs=[failed]))
    return said.outcomes[0].written


async def has_entry(redis: Redis, stream: str) -> bool:
    return await redis.xlen(stream) == 1
