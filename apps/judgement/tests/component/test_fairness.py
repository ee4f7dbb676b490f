"""What one person runs or sends does not keep the verdicts of others."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE
from deepoj_kit.testing.services import TOKEN
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.judgement.v1 import judgement_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from .conftest import OpenPipeline

BUSY = "while True: pass"
ASLEEP = "import time; time.sleep(3600)"
NAPS = "import time\nwhile True:\n    time.sleep(0.5)\n    sum(range(1_000_000))"


def a_run(source: str) -> judgement_pb2.RunRequest:
    request = judgement_pb2.RunRequest(language="python3", source=source)
    request.time_limit.FromSeconds(10)
    return request


async def test_custom_runs_keep_no_submission_from_being_judged(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    """As many runs as may wait are there before the submission, and have not ended when it is judged."""
    async with open_pipeline() as pipeline:
        await pipeline.serve_record()
        worker = await pipeline.worker(cores="1")
        question = await pipeline.questions.add()
        async with connect(worker.address, Secret(TOKEN)) as channel:
            judgement = JudgementServiceStub(channel)
            runs = [
                asyncio.ensure_future(judgement.Run(a_run(source), timeout=PATIENCE))
                for source in [ASLEEP, BUSY] * 8
            ]
            ended = await pipeline.ended(await pipeline.submit(question))
            assert ended.submission.status == record_pb2.STATUS_FINISHED
            assert not all(run.done() for run in runs)
            for run in runs:
                run.cancel()
            await asyncio.wait(runs)


async def test_programs_that_sleep_keep_no_submission_from_being_judged(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    """They came before it to the only core, one of them wakes up now and then; they are late all the same."""
    async with open_pipeline() as pipeline:
        await pipeline.serve_record()
        question = await pipeline.questions.add(cpu_ms=2000)
        asleep = [await pipeline.submit(question, source) for source in (ASLEEP, f"{ASLEEP} # again", NAPS)]
        right = await pipeline.submit(question)
        await pipeline.worker(cores="1")
        ended = await pipeline.ended(right)
        assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
        assert await pipeline.count(record_pb2.STATUS_RUNNING)
        for each in asleep:
            late = await pipeline.ended(each)
            assert late.submission.result.verdict == judging_pb2.VERDICT_TIME_LIMIT
