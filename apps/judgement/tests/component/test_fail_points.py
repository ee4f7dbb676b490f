"""Killed before or after any step: one terminal result for what was accepted, and no message left."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from deepoj_kit.grpc import RemoteError
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from deepoj_kit.testing.services import Service

    from .conftest import OpenPipeline, Pipeline

PUBLISHING = ("before_xadd", "after_xadd", "before_mark", "after_mark")
ANSWERING = ("before_granting", "after_granting", "before_fenced_write", "after_fenced_write")
WORKING = (
    "before_claim", "after_claim", "before_run", "after_run", "before_finalize", "after_finalize",
    "before_ack", "after_ack",
)  # fmt: skip


async def killed(process: Service) -> None:
    await eventually(lambda: process.process.exit_code() == -signal.SIGKILL)


async def is_accepted(pipeline: Pipeline, request: record_pb2.SubmitRequest) -> bool:
    try:
        return (await pipeline.record.Submit(request)).submission_id == request.submission_id
    except RemoteError:
        return False


async def one_result(pipeline: Pipeline, submission: str) -> None:
    found = await pipeline.ended(submission)
    assert found.submission.status == record_pb2.STATUS_FINISHED
    assert found.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    assert [attempt.outcome for attempt in found.attempts].count("finished") == 1
    assert await pipeline.count() == 1
    await pipeline.drained()


@pytest.mark.parametrize("point", ["before_insert", "after_insert", *PUBLISHING])
async def test_record_killed_at_any_boundary_of_a_submit(open_hasty: OpenPipeline, point: str) -> None:
    """A client that got no answer asks again with the same key, and there is one submission."""
    async with open_hasty() as pipeline:
        doomed = await pipeline.serve_record(fail_point=point)
        request = pipeline.request(await pipeline.questions.add())
        try:
            await pipeline.record.Submit(request)
            was_answered = True
        except RemoteError:
            was_answered = False
        assert not (was_answered and point.endswith("insert")), "it died before it could answer"
        await killed(doomed)
        await asyncio.gather(pipeline.serve_record(), pipeline.relay(), pipeline.worker(runner="noop"))
        if not was_answered:
            await eventually(lambda: is_accepted(pipeline, request))
        await one_result(pipeline, request.submission_id)


@pytest.mark.parametrize("point", PUBLISHING)
async def test_the_relay_killed_at_any_boundary_of_a_delivery(open_hasty: OpenPipeline, point: str) -> None:
    """Record itself dies before it sends, so that the message is left to the relay, which dies too."""
    async with open_hasty() as pipeline:
        silent = await pipeline.serve_record(fail_point="before_xadd")
        request = pipeline.request(await pipeline.questions.add())
        with suppress(RemoteError):
            await pipeline.record.Submit(request)
        await killed(silent)
        doomed = await pipeline.relay(wait=False, fail_point=point)
        await killed(doomed)
        await asyncio.gather(pipeline.serve_record(), pipeline.relay(), pipeline.worker(runner="noop"))
        await one_result(pipeline, request.submission_id)


@pytest.mark.parametrize("point", ANSWERING)
async def test_record_killed_before_or_after_the_commit_a_worker_waits_for(
    open_hasty: OpenPipeline, point: str
) -> None:
    """The worker does not know whether it has the job, or whether its result stands; record does."""
    async with open_hasty() as pipeline:
        doomed = await pipeline.serve_record(fail_point=point)
        submission = await pipeline.submit(await pipeline.questions.add())
        await asyncio.gather(pipeline.relay(), pipeline.worker(runner="noop", wait=False))
        await killed(doomed)
        await pipeline.serve_record()
        await one_result(pipeline, submission)


@pytest.mark.parametrize("point", WORKING)
async def test_a_worker_killed_at_any_boundary_of_a_job(hasty: Pipeline, point: str) -> None:
    doomed = await hasty.worker(fail_point=point, runner="noop", wait=False)
    submission = await hasty.submit(await hasty.questions.add())
    await killed(doomed)
    await hasty.worker(runner="noop", wait=False)
    await one_result(hasty, submission)


async def test_a_worker_killed_after_a_real_run(hasty: Pipeline) -> None:
    """The judge cache may have the result by then; the next attempt ends with the same."""
    doomed = await hasty.worker(fail_point="after_run")
    submission = await hasty.submit(await hasty.questions.add())
    await killed(doomed)
    await hasty.worker()
    await one_result(hasty, submission)
