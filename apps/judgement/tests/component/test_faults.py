"""Whatever dies, a submission is judged once: one terminal result and nothing left in the queue."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from deepoj_kit.testing.waiting import eventually
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from .conftest import Pipeline

FAIL_POINTS = (
    "before_claim",
    "after_claim",
    "before_run",
    "after_run",
    "before_finalize",
    "after_finalize",
    "before_ack",
    "after_ack",
)
SLOW = """
import time
while time.process_time() < 1.5: pass
print(sum(map(int, input().split())))
"""
HEAVY_ERROR = "int main() { return missing; }"


async def judged_once(pipeline: Pipeline, submission: str) -> record_pb2.GetResponse:
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_FINISHED
    finished = [attempt for attempt in found.attempts if attempt.outcome == "finished"]
    assert len(finished) == 1
    assert found.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    await pipeline.drained()
    return found


@pytest.mark.parametrize("point", FAIL_POINTS)
async def test_a_worker_killed_at_any_step_boundary_leaves_one_result_and_no_message(
    pipeline: Pipeline, point: str
) -> None:
    doomed = pipeline.worker(fail_point=point, runner="noop", wait=False)
    submission = await pipeline.submit(await pipeline.questions.add())
    await eventually(lambda: doomed.running.exit_code() == -signal.SIGKILL)
    pipeline.worker(runner="noop", wait=False)
    await judged_once(pipeline, submission)


async def test_stalled_job_recovered_by_watchdog(pipeline: Pipeline) -> None:
    """The worker dies in the middle of a run and the queue forgets the message too."""
    doomed = pipeline.worker()
    question = await pipeline.questions.add({"1 2": "3"}, cpu_ms=5000)
    submission = await pipeline.submit(question, SLOW)
    await pipeline.running(submission)
    doomed.running.kill()
    await pipeline.forget_queues()
    pipeline.start("record", "relay")
    pipeline.worker(wait=False)
    audit = (await judged_once(pipeline, submission)).attempts
    assert [attempt.outcome for attempt in audit] == ["worker_lost", "finished"]


async def test_the_late_result_of_a_frozen_worker_is_refused_while_the_new_one_stands(
    pipeline: Pipeline,
) -> None:
    frozen = pipeline.worker(worker_name="frozen")
    submission = await pipeline.submit(await pipeline.questions.add({"1 2": "3"}, cpu_ms=5000), SLOW)
    await pipeline.running(submission)
    os.kill(frozen.running.pid, signal.SIGSTOP)
    heir = pipeline.worker(worker_name="heir")
    before = await judged_once(pipeline, submission)
    os.kill(frozen.running.pid, signal.SIGCONT)
    await eventually(lambda: "nothing is written" in frozen.log() or "result is refused" in frozen.log())
    assert await pipeline.get(submission) == before
    assert [attempt.worker for attempt in before.attempts] == ["frozen", "heir"]
    assert 'worker_reclaim_total{reason="",status="ok"} 1.0' in heir.metrics()


async def test_idempotent_enqueue_single_job(pipeline: Pipeline) -> None:
    """The same job twice in the queue and two workers: one runs, one result."""
    submission = await pipeline.submit(await pipeline.questions.add())
    await eventually(pipeline.has_jobs)
    for _ in range(3):
        await pipeline.repeat_messages()
    workers = [pipeline.worker(wait=False) for _ in range(2)]
    for worker in workers:
        worker.running.wait_ready()
    found = await judged_once(pipeline, submission)
    assert len(found.attempts) == 1


async def test_nonretryable_compile_error_terminal_once(pipeline: Pipeline) -> None:
    pipeline.worker()
    submission = await pipeline.submit(await pipeline.questions.add(), HEAVY_ERROR, "c11")
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_FINISHED
    assert found.submission.result.verdict == judging_pb2.VERDICT_COMPILE_ERROR
    assert "missing" in found.submission.result.compile_output
    assert [attempt.outcome for attempt in found.attempts] == ["finished"]
    await pipeline.drained()


async def test_inv_4_a_record_that_is_away_loses_no_job(pipeline: Pipeline) -> None:
    record = pipeline.started[0]
    submission = await pipeline.submit(await pipeline.questions.add())
    await eventually(pipeline.has_jobs)
    record.kill()
    worker = pipeline.worker()
    await eventually(
        lambda: 'worker_claim_total{reason="record_unavailable",status="error"}' in worker.metrics()
    )
    assert await pipeline.pending() == 1
    pipeline.start("record", listen=f"unix:{pipeline.home}/record.sock").running.wait_ready()
    await judged_once(pipeline, submission)


async def test_a_cancelled_submission_stops_running_and_is_not_judged(pipeline: Pipeline) -> None:
    worker = pipeline.worker()
    submission = await pipeline.submit(await pipeline.questions.add(cpu_ms=60_000), "while True: pass")
    await pipeline.running(submission)
    await pipeline.cancel(submission)
    await pipeline.drained()
    assert (await pipeline.get(submission)).submission.status == record_pb2.STATUS_CANCELLED
    assert "the lease is lost; nothing is written" in worker.log()


async def test_a_stopping_worker_hands_its_job_back_within_the_grace(pipeline: Pipeline) -> None:
    first = pipeline.worker(shutdown_grace="4s")
    submission = await pipeline.submit(await pipeline.questions.add(cpu_ms=60_000), "while True: pass")
    await pipeline.running(submission)
    first.running.ask_to_stop()
    await eventually(lambda: first.running.exit_code() == 0)
    audit = (await pipeline.get(submission)).attempts
    assert [(each.outcome, each.reason) for each in audit] == [("failed", "worker_draining")]


@pytest.mark.parametrize(
    "fields",
    [
        {"garbage": "yes"},
        {"job_id": "not-a-uuid", "enqueue_ts": "1", "payload_ref": "x", "priority": "1"},
        {
            "job_id": "01980000-0000-7000-8000-000000000999",
            "enqueue_ts": "1",
            "payload_ref": "x",
            "priority": "1",
        },
    ],
)
async def test_poison_never_blocks_the_stream(pipeline: Pipeline, fields: dict[str, str]) -> None:
    await pipeline.enqueue("light:contest", fields)
    pipeline.worker()
    submission = await pipeline.submit(await pipeline.questions.add())
    await judged_once(pipeline, submission)


async def test_a_job_whose_message_lost_a_field_ends_dead(pipeline: Pipeline) -> None:
    submission = await pipeline.submit(await pipeline.questions.add())
    await eventually(pipeline.has_jobs)
    await pipeline.forget_queues()
    await pipeline.enqueue("light:normal", {"job_id": submission})
    pipeline.worker()
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_DEAD
    assert "malformed_job" in found.submission.reason
    await pipeline.drained()


async def test_retryable_errors_backoff_and_cap(pipeline: Pipeline) -> None:
    """Test data that is not there: three attempts with a growing delay, then dead."""
    pipeline.worker()
    pipeline.start("record", "relay").running.wait_ready()
    question = await pipeline.questions.add()
    await pipeline.questions.lose_data(question)
    found = await pipeline.ended(await pipeline.submit(question))
    assert found.submission.status == record_pb2.STATUS_DEAD
    assert [(each.outcome, each.reason) for each in found.attempts] == [("failed", "store_unavailable")] * 3
    first, second, third = (each.started_at.ToNanoseconds() for each in found.attempts)
    assert third - second > second - first >= 100_000_000
    await pipeline.drained()


async def test_all_jobs_finish_after_redis_was_emptied(pipeline: Pipeline) -> None:
    question = await pipeline.questions.add()
    ids = await asyncio.gather(*(pipeline.submit(question) for _ in range(200)))
    await eventually(pipeline.has_jobs)
    await pipeline.forget_queues()
    pipeline.worker(runner="noop", wait=False)
    pipeline.start("record", "relay")
    for submission in ids:
        found = await pipeline.ended(submission)
        assert found.submission.status == record_pb2.STATUS_FINISHED
