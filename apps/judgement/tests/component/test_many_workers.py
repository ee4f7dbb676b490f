"""Ten workers come and nine go, each in another way, while they have jobs in hand."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from apps.judgement.tests.component.test_faults import is_stopped, judged_once
from apps.judgement.tests.programs import SLOW
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.record.v1 import record_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from apps.judgement.tests.component.conftest import OpenPipeline, Pipeline
    from deepoj_kit.testing.services import Service

KILLED, FROZEN = 4, 4
HEAVY = '#include <stdio.h>\nint main(void) { int a, b; scanf("%d%d", &a, &b); printf("%d\\n", a + b); }\n'


@pytest.fixture
async def hasty(open_hasty: OpenPipeline, sandbox_works: None) -> AsyncIterator[Pipeline]:  # noqa: ARG001
    async with open_hasty(lease="10s") as opened:
        await asyncio.gather(opened.serve_record(), opened.relay())
        yield opened


async def stuck_worker(hasty: Pipeline, name: str) -> Service:
    """Start one that stands still as soon as it has claimed a job. It would run nothing, so it is cheap.

    It takes nothing over: on a busy machine the first leases end before the last worker has its job. Of heavy
    jobs it waits for one at a time: Redis would give a second one to a process that stands still.
    """
    return await hasty.worker(
        worker_name=name, runner="noop", languages="c11", fail_point="after_claim:stop",
        reclaim_interval="1h", heavy_share="0.001",
    )  # fmt: skip


async def test_ten_workers_come_and_nine_go_and_every_job_is_judged_once(hasty: Pipeline) -> None:
    question = await hasty.questions.add({"1 2": "3"})
    names = [f"killed-{number}" for number in range(KILLED)] + [f"late-{number}" for number in range(FROZEN)]
    stuck = await asyncio.gather(*(stuck_worker(hasty, name) for name in names))
    jobs: list[str] = []
    for count in range(1, len(stuck) + 1):
        jobs.append(await hasty.submit(question, HEAVY, "c11"))
        await eventually(lambda count=count: sum(is_stopped(each.process.pid) for each in stuck) >= count)
    kept, drained = await asyncio.gather(
        hasty.worker(worker_name="kept", languages="c11,python3"),
        hasty.worker(worker_name="drained", languages="c11,python3"),
    )
    slow = [await hasty.submit(question, SLOW) for _ in range(4)]

    async def both_run() -> bool:
        attempts = [each for job in slow for each in (await hasty.get(job)).attempts]
        return {"kept", "drained"} <= {each.worker for each in attempts if not each.outcome}

    await eventually(both_run)
    for each in stuck[:KILLED]:
        each.process.kill()
    drained.process.ask_to_stop()
    found = {job: await judged_once(hasty, job) for job in (*jobs, *slow)}

    for each in stuck[KILLED:]:
        os.kill(each.process.pid, signal.SIGCONT)
    for each in stuck[KILLED:]:
        await eventually(lambda each=each: "the result is refused" in each.log())
        each.process.ask_to_stop()
    assert {job: await hasty.get(job) for job in found} == found, "late results changed nothing"
    assert await hasty.count(record_pb2.STATUS_FINISHED) == await hasty.count() == len(found)
    lost = [
        attempt.worker
        for each in found.values()
        for attempt in each.attempts
        if attempt.outcome == "worker_lost"
    ]
    assert sorted(lost) == sorted(names)
    assert kept.readiness()[0] == 200
