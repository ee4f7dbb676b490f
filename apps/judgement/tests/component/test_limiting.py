"""The limit that all workers share."""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING

from deepoj_kit.testing.conditions import eventually
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from .conftest import Pipeline


async def test_two_workers_together_begin_no_more_jobs_than_the_rate_allows(pipeline: Pipeline) -> None:
    question = await pipeline.questions.add()
    jobs = await asyncio.gather(*(pipeline.submit(question) for _ in range(8)))
    begun = time.monotonic()
    workers = await asyncio.gather(*(pipeline.worker(runner="noop", job_rate="2") for _ in range(2)))

    async def all_judged() -> bool:
        return await pipeline.count(record_pb2.STATUS_FINISHED) == len(jobs)

    await eventually(all_judged)
    assert time.monotonic() - begun >= (len(jobs) - 2) / 2, "two at once, then two a second"
    waits = [re.findall(r"^worker_limited_total (\S+)", each.metrics(), re.MULTILINE) for each in workers]
    assert sum(float(wait) for [wait] in waits) > 0
