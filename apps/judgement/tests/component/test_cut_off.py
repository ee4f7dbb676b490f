"""A worker on a host of its own, whose link is cut in the middle of a run."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

import pytest

from apps.judgement.tests.component.conftest import OpenPipeline, Pipeline
from apps.judgement.tests.other_host import OtherHost, other_host, reached
from apps.judgement.tests.programs import SLOW
from deepoj_domain.documents import JUDGE_RESULT
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.testing import a_result
from deepoj_kit.documents import Document
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.embedded.service_environ import service_tuning
from deepoj_kit.testing.services import TOKEN
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2


@pytest.fixture
def host() -> Iterator[OtherHost]:
    with other_host() as made:
        yield made


@asynccontextmanager
async def worker_on(host: OtherHost, pipeline: Pipeline) -> AsyncIterator[RunningProcess]:
    """Start a worker there that reaches all it needs over the link, and nothing else."""
    settings = pipeline.settings
    redis, s3 = urlsplit(settings["redis_url"]), urlsplit(settings["s3_endpoint"])
    async with AsyncExitStack() as held:
        targets = (settings["record_address"], settings["question_address"], f"unix:{redis.path}", s3.netloc)
        record, question, queue, store = [
            await held.enter_async_context(reached(host, target)) for target in targets
        ]
        own = {
            "record_address": record,
            "question_address": question,
            "redis_url": f"redis://:{redis.password}@{queue}",
            "s3_endpoint": f"http://{store}",
            "postgres_url": "",
            "judge_cache": "false",
            "worker_name": "elsewhere",
            "home": str(pipeline.home / "elsewhere"),
            "listen": f"unix:{pipeline.home}/elsewhere.sock",
            "service_token": TOKEN,
        }
        log = pipeline.home / "elsewhere.log"
        environ = {f"DEEPOJ_{name.upper()}": value for name, value in (settings | own).items()}
        argv = host.enter(sys.executable, "-m", "deepoj_judgement", "serve")
        spec = ProcessSpec(
            "elsewhere", argv, ready=lambda: '"ready"' in log.read_text(), environ=service_tuning() | environ
        )
        process = RunningProcess(spec, log)
        try:
            await asyncio.to_thread(process.wait_ready)
            yield process
        finally:
            process.kill()


@pytest.mark.usefixtures("sandbox_works")
async def test_a_job_of_a_host_that_is_cut_off_ends_elsewhere_and_its_late_answer_is_refused(
    open_hasty: OpenPipeline, host: OtherHost
) -> None:
    async with open_hasty() as pipeline:
        await pipeline.serve_record()
        await pipeline.relay()
        question = await pipeline.questions.add({"1 2": "3"})
        async with worker_on(host, pipeline):
            job = await pipeline.submit(question, SLOW)
            await pipeline.running(job)
            host.cut()
            await pipeline.worker(worker_name="near")
            ended = await pipeline.ended(job)
            assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
            assert [each.worker for each in ended.attempts] == ["elsewhere", "near"]
            assert (await late_answer(pipeline, job)).WhichOneof("outcome") == "refused"
            assert await pipeline.get(job) == ended


async def late_answer(pipeline: Pipeline, job: str) -> record_pb2.WriteOutcome:
    """Say what the host that was cut off would say of its attempt."""
    document = Document(JUDGE_RESULT, InvalidValueError).encode(a_result())
    attempt = record_pb2.AttemptRef(job_id=job, attempt_id=1)
    finished = record_pb2.FinishedJob(attempt=attempt, document=document)
    request = record_pb2.FinalizeRequest(worker="elsewhere", jobs=[finished])
    return (await pipeline.workers.Finalize(request)).outcomes[0]
