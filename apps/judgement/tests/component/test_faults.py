"""Whatever dies or forgets, a submission is judged once: one terminal result, nothing left in the queue."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from apps.judgement.tests.programs import ENDLESS, SLOW
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

from .conftest import ADMIN

if TYPE_CHECKING:
    from deepoj_kit.testing.plugin import PrivateServer

    from .conftest import OpenPipeline, Pipeline

COMPILE_ERROR = "int main() { return missing; }"


async def judged_once(pipeline: Pipeline, submission: str) -> record_pb2.GetResponse:
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_FINISHED
    assert [attempt.outcome for attempt in found.attempts].count("finished") == 1
    assert found.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    await pipeline.drained()
    return found


async def test_stalled_job_recovered_by_watchdog(hasty: Pipeline) -> None:
    """The worker dies in the middle of a run and the queue forgets the message too."""
    doomed = await hasty.worker()
    submission = await hasty.submit(await hasty.questions.add({"1 2": "3"}), SLOW)
    await hasty.running(submission)
    doomed.process.kill()
    await hasty.forget_queues()
    await hasty.worker(wait=False)
    audit = (await judged_once(hasty, submission)).attempts
    assert (audit[0].outcome, audit[-1].outcome) == ("worker_lost", "finished")


async def test_the_late_result_of_a_frozen_worker_is_refused_as_stale_while_the_new_one_stands(
    hasty: Pipeline,
) -> None:
    frozen = await hasty.worker(worker_name="frozen", runner="noop", fail_point="before_finalize:stop")
    submission = await hasty.submit(await hasty.questions.add())
    await eventually(lambda: is_stopped(frozen.process.pid))
    heir = await hasty.worker(worker_name="heir", runner="noop")
    before = await judged_once(hasty, submission)
    os.kill(frozen.process.pid, signal.SIGCONT)
    await eventually(lambda: "the result is refused" in frozen.log())
    assert '"reason":"stale_attempt"' in frozen.log()
    assert 'worker_finalize_rejected_total{reason="stale_attempt"} 1.0' in frozen.metrics()
    assert "worker_stale_attempt_total 1.0" in frozen.metrics()
    assert await hasty.get(submission) == before
    assert (before.attempts[0].worker, before.attempts[-1].worker) == ("frozen", "heir")
    assert 'worker_reclaim_total{reason="",status="ok"}' in heir.metrics()


def is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


async def test_idempotent_enqueue_single_job(open_pipeline: OpenPipeline) -> None:
    """The same job four times in the queue and two workers: one runs, one result."""
    async with open_pipeline(lease="4s") as pipeline:
        await pipeline.serve_record()
        submission = await pipeline.submit(await pipeline.questions.add())
        await pipeline.has_queued()
        for _ in range(3):
            await pipeline.repeat_messages()
        await asyncio.gather(pipeline.worker(runner="noop"), pipeline.worker(runner="noop"))
        found = await judged_once(pipeline, submission)
        assert len(found.attempts) == 1


async def test_nonretryable_compile_error_terminal_once(pipeline: Pipeline) -> None:
    await pipeline.worker()
    submission = await pipeline.submit(await pipeline.questions.add(), COMPILE_ERROR, "c11")
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_FINISHED
    assert found.submission.result.verdict == judging_pb2.VERDICT_COMPILE_ERROR
    assert "missing" in found.submission.result.compile_output
    assert [attempt.outcome for attempt in found.attempts] == ["finished"]
    await pipeline.drained()


async def test_inv_4_a_record_that_is_away_loses_no_job(open_hasty: OpenPipeline) -> None:
    async with open_hasty() as pipeline:
        record = await pipeline.serve_record()
        worker = await pipeline.worker(runner="noop")
        await eventually(lambda: "judge_drained 0.0" in worker.metrics())
        os.kill(worker.process.pid, signal.SIGSTOP)
        submission = await pipeline.submit(await pipeline.questions.add())
        await pipeline.has_queued()
        record.process.kill()
        os.kill(worker.process.pid, signal.SIGCONT)
        none_failed = 'worker_claim_total{reason="record_unavailable",status="error"} 0.0'
        assert none_failed.removesuffix("0.0") in worker.metrics()
        await eventually(lambda: none_failed not in worker.metrics())
        assert await pipeline.pending() == 1
        await asyncio.gather(pipeline.serve_record(), pipeline.relay())
        await judged_once(pipeline, submission)


@pytest.mark.usefixtures("sandbox_works")
async def test_a_cancelled_submission_stops_running_at_once_and_is_not_judged(
    open_pipeline: OpenPipeline,
) -> None:
    # The worker's next heartbeat would be after the end of the test.
    async with open_pipeline(heartbeat="30m", lease="1h") as pipeline:
        await pipeline.serve_record()
        worker = await pipeline.worker()
        submission = await pipeline.submit(await pipeline.questions.add(cpu_ms=600_000), ENDLESS)
        await pipeline.running(submission)
        await pipeline.cancel(submission)
        await pipeline.drained()
        assert (await pipeline.get(submission)).submission.status == record_pb2.STATUS_CANCELLED
        assert "the lease is lost; nothing is written" in worker.log()
        assert 'judge_exec_total{result="abandoned"} 1.0' in worker.metrics()


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
    await pipeline.worker(runner="noop")
    submission = await pipeline.submit(await pipeline.questions.add())
    await judged_once(pipeline, submission)


async def test_a_job_whose_message_lost_a_field_ends_dead(pipeline: Pipeline) -> None:
    submission = await pipeline.submit(await pipeline.questions.add())
    await pipeline.has_queued()
    await pipeline.forget_queues()
    await pipeline.enqueue("light:normal", {"job_id": submission})
    await pipeline.worker(runner="noop")
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_DEAD
    assert "malformed_job" in found.submission.reason
    await pipeline.drained()


TREE = "import os\nos.makedirs('lifted 1/x')\nprint(sum(map(int, input().split())))"
UNSTARTABLE = """
const char wanted[] __attribute__((section(".interp"))) = "/nonexistent";
int main(void) { return 0; }
"""
LONG_CLASS = f"public class {'A' * 1100} {{ public static void main(String[] a) {{}} }}"
HOSTILE = {
    ("python3", TREE): judging_pb2.VERDICT_ACCEPTED,
    ("c11", UNSTARTABLE): judging_pb2.VERDICT_RUNTIME_ERROR,
    ("java17", LONG_CLASS): judging_pb2.VERDICT_COMPILE_ERROR,
    ("java17", LONG_CLASS.replace("A" * 1100, "A" * 300)): judging_pb2.VERDICT_COMPILE_ERROR,
}


async def test_what_a_submission_does_to_its_box_is_its_own_verdict_at_the_first_attempt(
    pipeline: Pipeline,
) -> None:
    question = await pipeline.questions.add()
    sent = {
        await pipeline.submit(question, source, language): verdict
        for (language, source), verdict in HOSTILE.items()
    }
    await pipeline.worker(languages=",".join({language for language, _ in HOSTILE}))
    for submission, verdict in sent.items():
        found = (await pipeline.ended(submission)).submission
        assert (found.status, found.result.verdict) == (record_pb2.STATUS_FINISHED, verdict)
        assert found.attempt_id == 1
    await judged_once(pipeline, await pipeline.submit(question))


async def test_the_replay_of_a_dead_submission_ends_with_a_verdict(pipeline: Pipeline) -> None:
    submission = await pipeline.submit(await pipeline.questions.add(), TREE)
    await pipeline.has_queued()
    await pipeline.forget_queues()
    await pipeline.enqueue("light:normal", {"job_id": submission})
    await pipeline.worker()
    assert (await pipeline.ended(submission)).submission.status == record_pb2.STATUS_DEAD
    replay = record_pb2.ReplayDeadLetterRequest(
        actor=ADMIN, submission_id=submission, new_submission_id=str(pipeline.new_id())
    )
    await pipeline.record.ReplayDeadLetter(replay)
    await judged_once(pipeline, replay.new_submission_id)


async def test_retryable_errors_backoff_and_cap(pipeline: Pipeline) -> None:
    """Test data that is not there: three attempts, each at least its delay after the last, then dead."""
    await asyncio.gather(pipeline.worker(), pipeline.relay())
    question = await pipeline.questions.add()
    await pipeline.questions.lose_data(question)
    found = await pipeline.ended(await pipeline.submit(question))
    assert found.submission.status == record_pb2.STATUS_DEAD
    assert [(each.outcome, each.reason) for each in found.attempts] == [("failed", "store_unavailable")] * 3
    first, second, third = (each.started_at.ToMilliseconds() for each in found.attempts)
    assert second - first >= 100
    assert third - second >= 200
    await pipeline.drained()


async def test_all_200_queued_jobs_finish_after_flushall(
    open_pipeline: OpenPipeline, private_redis: PrivateServer
) -> None:
    """A worker is in the middle of a read when Redis loses everything, the consumer groups too."""
    async with open_pipeline(redis_url=private_redis.url) as pipeline:
        worker, *_ = await asyncio.gather(
            pipeline.worker(runner="noop"), pipeline.serve_record(), pipeline.relay()
        )
        os.kill(worker.process.pid, signal.SIGSTOP)
        question = await pipeline.questions.add()
        await asyncio.gather(*(pipeline.submit(question) for _ in range(200)))
        await pipeline.has_queued(200)
        await pipeline.redis.flushall()
        os.kill(worker.process.pid, signal.SIGCONT)

        async def all_finished() -> bool:
            return await pipeline.count(record_pb2.STATUS_FINISHED) == 200

        await eventually(all_finished)
        await pipeline.drained()
