"""A worker that stops or is full keeps nothing from the others."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import httpx
import pytest

from apps.judgement.tests.programs import ENDLESS, ENDLESS_C
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.services import TOKEN
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from deepoj_kit.testing.services import Service

    from .conftest import OpenPipeline, Pipeline

EMPTY_C = "int main() {}"
RUN = judgement_pb2.RunRequest(language="python3", source=ENDLESS)
RUN.time_limit.FromSeconds(10)
ADMIN = common_pb2.Actor(role=common_pb2.ROLE_ADMIN)
# Nobody may take over what a worker still has before a test gives up.
LEASE = {"lease": "1h"}


async def finished(pipeline: Pipeline, *submissions: str) -> None:
    for submission in submissions:
        assert (await pipeline.ended(submission)).submission.status == record_pb2.STATUS_FINISHED


async def test_a_stopping_worker_hands_back_all_it_has_within_the_grace(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    """A job of each lane and a call run for ever; other jobs wait. Another worker has them all at once."""
    async with open_pipeline(**LEASE) as pipeline:
        await pipeline.serve_record()
        # Running jobs get half of the grace, and the rest is what the handing back may take.
        first = await pipeline.worker(cores="3", heavy_share="0.4", shutdown_grace="8s")
        endless = await pipeline.questions.add(cpu_ms=600_000)
        question = await pipeline.questions.add()
        async with connect(first.address, Secret(TOKEN)) as channel:
            call = asyncio.ensure_future(JudgementServiceStub(channel).Run(RUN, timeout=PATIENCE))
            light = await pipeline.submit(endless, ENDLESS)
            heavy = await pipeline.submit(endless, ENDLESS_C, "c11")
            await pipeline.running(light)
            await pipeline.running(heavy)
            waiting = [await pipeline.submit(question), await pipeline.submit(question, EMPTY_C, "c11")]
            await pipeline.has_queued(4)
            first.process.ask_to_stop()
            await eventually(lambda: first.process.exit_code() is not None)
            with pytest.raises(RemoteError):
                await call
        assert first.process.exit_code() == 0, first.log()
        for submission in (light, heavy):
            audit = (await pipeline.get(submission)).attempts
            assert [(each.outcome, each.reason) for each in audit] == [("failed", "worker_draining")]
        await pipeline.worker(runner="noop")
        await finished(pipeline, *waiting)


async def test_a_full_worker_reads_no_message_that_another_could_take(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    async with open_pipeline(**LEASE) as pipeline:
        await pipeline.serve_record()
        await pipeline.worker()
        await pipeline.running(await pipeline.submit(await pipeline.questions.add(cpu_ms=600_000), ENDLESS))
        question = await pipeline.questions.add()
        waiting = [await pipeline.submit(question, EMPTY_C, "c11") for _ in range(2)]
        waiting += [await pipeline.submit(question) for _ in range(2)]
        await pipeline.has_queued(5)
        await pipeline.worker(runner="noop")
        await finished(pipeline, *waiting)


async def test_calls_wait_for_a_core_up_to_a_bound_and_then_are_refused(pipeline: Pipeline) -> None:
    worker = await pipeline.worker(consume="false", waiting_calls="1")
    async with connect(worker.address, Secret(TOKEN)) as channel:
        judgement = JudgementServiceStub(channel)
        calls = [asyncio.ensure_future(judgement.Run(RUN, timeout=PATIENCE)) for _ in range(3)]
        (refused,), others = await asyncio.wait(calls, return_when=asyncio.FIRST_COMPLETED)
        for other in others:
            other.cancel()
    error = refused.exception()
    assert isinstance(error, RemoteError)
    assert (error.kind, error.reason) == (Kind.EXHAUSTED, "judge_host_busy")
    assert error.retry_after is not None


async def drain(pipeline: Pipeline, seconds: int) -> None:
    order = record_pb2.DrainWorkerRequest(actor=ADMIN, name="judge-1", reason="new kernel")
    order.hand_back_after.FromSeconds(seconds)
    await pipeline.record.DrainWorker(order)


def out_of_service(worker: Service) -> bool:
    return "drained: new kernel" in httpx.get(f"{worker.ops_url}/readyz").json()["degraded"]


async def test_a_drained_worker_finishes_what_it_has_and_takes_nothing_also_after_a_restart(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    async with open_pipeline(**LEASE) as pipeline:
        await pipeline.serve_record()
        endless = await pipeline.questions.add(cpu_ms=600_000)
        question = await pipeline.questions.add()
        start = partial(pipeline.worker, worker_name="judge-1.a", orders_interval="200ms", cores="2")
        first = await start()
        running = await pipeline.submit(endless, ENDLESS)
        await pipeline.running(running)
        await drain(pipeline, 3600)
        await eventually(lambda: out_of_service(first))
        assert "judge_drained 1.0" in first.metrics()
        waiting = await pipeline.submit(question)
        await pipeline.has_queued(2)
        async with connect(first.address, Secret(TOKEN)) as channel:
            judgement = JudgementServiceStub(channel)
            with pytest.raises(RemoteError) as refused:
                await judgement.Run(RUN, timeout=PATIENCE)
            asked = judgement_pb2.ListWorkersRequest(actor=ADMIN)

            async def told() -> bool:
                (found,) = (await judgement.ListWorkers(asked)).workers
                return found.held_back and (found.running, found.drained) == (1, "new kernel")

            await eventually(told)
        assert refused.value.reason == "judge_host_drained"
        assert (await pipeline.get(waiting)).submission.status == record_pb2.STATUS_DISPATCHED
        assert [each.outcome for each in (await pipeline.get(running)).attempts] == [""]

        await drain(pipeline, 0)

        async def handed_back() -> bool:
            audit = (await pipeline.get(running)).attempts
            return [(each.outcome, each.reason) for each in audit] == [("failed", "worker_draining")]

        await eventually(handed_back)
        await pipeline.cancel(running)
        await asyncio.to_thread(first.process.stop, PATIENCE)
        again = await start()
        await eventually(lambda: out_of_service(again))
        assert (await pipeline.get(waiting)).submission.status == record_pb2.STATUS_DISPATCHED
        await pipeline.record.ResumeWorker(record_pb2.ResumeWorkerRequest(actor=ADMIN, name="judge-1"))
        judged = await pipeline.ended(waiting)
        assert [each.worker for each in judged.attempts] == ["judge-1.a"]
        assert not out_of_service(again)
