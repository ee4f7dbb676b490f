"""Rows of the test matrix that record answers for alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.record.tests.people import ADMIN, OWNER, a_request, claimed, finalize
from deepoj_domain.admission.decide import (
    AdmissionLimits,
    AdmissionRefusal,
    AdmissionSnapshot,
    Admitted,
    TurnedAway,
    decide,
)
from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_kit.clock import system_clock
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub


async def test_status_cache_freshness_under_5s(
    record: RecordServiceAsyncStub, worker: WorkerServiceAsyncStub
) -> None:
    """Nothing lies between a reader and the database: the first look after the write-back is terminal."""
    request = a_request()
    await record.Submit(request)
    look = record_pb2.GetRequest(actor=OWNER, submission_id=request.submission_id)
    assert (await record.Get(look)).submission.status < record_pb2.STATUS_FINISHED
    await claimed(worker, request.submission_id)
    await finalize(worker, request.submission_id)
    assert (await record.Get(look)).submission.status == record_pb2.STATUS_FINISHED


async def test_backpressure_activates_on_high_depth(record: RecordServiceAsyncStub) -> None:
    """The depth that record counts turns the next submission away, with a time to come back."""
    for _ in range(3):
        await record.Submit(a_request())
    stats = await record.QueueStats(record_pb2.QueueStatsRequest(actor=ADMIN))
    depth = sum(queue.waiting for queue in stats.queues)
    assert depth == 3
    now = system_clock()
    limits = AdmissionLimits(queue_high_water=3)

    def decided(queue_depth: int) -> Admitted | TurnedAway:
        bucket = TokenBucket(now)
        seen = AdmissionSnapshot(
            now=now, bucket=bucket, in_flight=0, submitted_today=0, queue_depth=queue_depth, live_workers=1
        )
        return decide(limits, seen)

    assert isinstance(decided(depth - 1), Admitted)
    assert decided(depth) == TurnedAway(AdmissionRefusal.QUEUE_FULL, limits.busy_retry)
