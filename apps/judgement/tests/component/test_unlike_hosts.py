"""Hosts that have different things: each job goes to one that has what it needs."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import cast

import pytest

from apps.judgement.tests.component.conftest import ADMIN, CONTESTANT, OpenPipeline, Pipeline
from deepoj_domain.streams import Streams
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

PERL = "my ($a, $b) = split ' ', <STDIN>; print $a + $b;\n"
PYTHON_ONLY, PERL_ONLY = "python3", "perl"


@pytest.mark.usefixtures("sandbox_works")
async def test_two_hosts_of_different_languages_judge_every_job_at_its_first_claim(
    open_pipeline: OpenPipeline,
) -> None:
    async with open_pipeline() as pipeline:
        await asyncio.gather(
            pipeline.serve_record(),
            pipeline.worker(worker_name="pythons", languages=PYTHON_ONLY),
            pipeline.worker(worker_name="perls", languages=PERL_ONLY),
        )
        question = await pipeline.questions.add()
        wanted = {
            await pipeline.submit(question, *program): host
            for _ in range(6)
            for program, host in (((), "pythons"), ((PERL, "perl"), "perls"))
        }
        for job, host in wanted.items():
            ended = await pipeline.ended(job)
            assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
            assert [each.worker for each in ended.attempts] == [host]
        await pipeline.drained()


@pytest.mark.usefixtures("sandbox_works")
async def test_a_job_waits_untouched_for_a_host_that_has_what_it_needs(
    open_pipeline: OpenPipeline, private_home: Path
) -> None:
    judge = f"unix:{private_home}/judge.sock"
    async with open_pipeline(judgement_address=judge) as pipeline:
        await asyncio.gather(
            pipeline.serve_record(),
            pipeline.worker(worker_name="pythons", languages=PYTHON_ONLY, listen=judge),
        )
        job = await pipeline.submit(await pipeline.questions.add(), PERL, "perl")
        await sent_on(pipeline, "perl")
        assert await pipeline.queued() == 2, "the one that was read, and the one that waits for a reader"
        assert not (await pipeline.get(job)).attempts
        asked = record_pb2.ExplainRequest(actor=ADMIN, submission_id=job)
        unable = "Of those that are there pythons lacks perl."

        async def names_hosts() -> bool:
            # A worker announces itself when it works, and may have met the job before.
            return (await pipeline.record.Explain(asked)).summary.endswith(unable)

        await eventually(names_hosts)
        told = await pipeline.record.Explain(asked)
        assert told.cause == record_pb2.CAUSE_NO_ABLE_WORKER
        assert told.summary == f"Waits for a worker that has perl; none is there now. {unable}"
        own = await pipeline.record.Explain(record_pb2.ExplainRequest(actor=CONTESTANT, submission_id=job))
        assert own.summary == "Waits for a worker that has perl; none is there now."
        await pipeline.worker(worker_name="perls", languages=PERL_ONLY)
        assert [each.worker for each in (await pipeline.ended(job)).attempts] == ["perls"]


async def test_what_redis_forgets_of_a_job_that_was_sent_on_is_sent_there_again(hasty: Pipeline) -> None:
    await hasty.worker(worker_name="pythons", languages=PYTHON_ONLY)
    job = await hasty.submit(await hasty.questions.add(), PERL, "perl")
    await sent_on(hasty, "perl")
    await hasty.redis.delete(*await hasty.queues(), Streams(hasty.settings["env"]).job_parts)
    await hasty.worker(worker_name="perls", languages=PERL_ONLY)
    assert [each.worker for each in (await hasty.ended(job)).attempts] == ["perls"]


async def test_a_problem_with_much_memory_costs_small_hosts_no_attempt(pipeline: Pipeline) -> None:
    await pipeline.worker(worker_name="small", program_memory="1GiB")
    job = await pipeline.submit(await pipeline.questions.add(memory_mib=1500))
    await sent_on(pipeline, "python3@1536")
    await pipeline.worker(worker_name="large", program_memory="2GiB")
    ended = await pipeline.ended(job)
    assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    assert [(each.worker, each.reason) for each in ended.attempts] == [
        ("small", "not_enough_memory"),
        ("large", "AC"),
    ]


async def test_a_host_measures_itself_announces_it_and_is_not_used_far_from_the_reference(
    pipeline: Pipeline,
) -> None:
    far = await pipeline.worker(wait=False, languages="c11", reference_ms="1", speed_band="1.5")
    near = await pipeline.worker(
        worker_name="near", languages="c11,python3", reference_ms="200", speed_band="10"
    )
    [percent] = re.findall(r'"percent":(\d+)', near.log())
    key = f"deepoj:{pipeline.settings['env']}:workers:near"

    async def is_announced() -> bool:
        told = cast("bytes | None", await pipeline.redis.get(key))
        return told is not None and f'"speed_percent":{percent}' in told.decode()

    await eventually(is_announced)
    ended = await pipeline.ended(await pipeline.submit(await pipeline.questions.add()))
    assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    await eventually(lambda: far.process.exit_code() is not None)
    assert "times cannot be compared so far apart" in far.log()


async def sent_on(pipeline: Pipeline, needs: str) -> None:
    async def is_there() -> bool:
        return any(queue.endswith(f":{needs}") for queue in await pipeline.queues())

    await eventually(is_there)
