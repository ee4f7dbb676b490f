"""What a worker does when its sandbox agent is gone, and in which order it takes jobs."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from typing import TYPE_CHECKING

from apps.judgement.tests.programs import SLOW
from deepoj_kit.testing.conditions import eventually
from deepoj_proto.common.v1 import judging_pb2

if TYPE_CHECKING:
    from deepoj_kit.testing.services import Service

    from .conftest import Pipeline

MESSAGE = {"enqueue_ts": "1", "payload_ref": "x", "priority": "1"}


def agent_pids(worker: Service) -> list[int]:
    """Return the agents that served, the last one last."""
    return [
        int(pid) for pid in re.findall(r'"message":"the sandbox agent serves".*?"pid":(\d+)', worker.log())
    ]


def claimed_jobs(worker: Service) -> list[str]:
    return re.findall(r'"message":"claimed".*?"job_id":"([^"]+)"', worker.log())


async def test_inv_7_a_worker_whose_agent_was_killed_goes_on_with_the_one_shot_command(
    pipeline: Pipeline,
) -> None:
    # The run that meets the dying agent may fail and be tried again; the relay sends what is for later.
    worker, _ = await asyncio.gather(pipeline.worker(home=str(pipeline.home / "judge")), pipeline.relay())
    question = await pipeline.questions.add()
    [agent] = agent_pids(worker)
    socket = pipeline.home / "judge" / "run" / str(worker.process.pid) / "agent.sock"
    os.kill(agent, signal.SIGKILL)
    # No agent can listen there again before the directory is gone.
    socket.unlink(missing_ok=True)
    socket.mkdir()
    first = (await pipeline.ended(await pipeline.submit(question))).submission
    assert first.result.verdict == judging_pb2.VERDICT_ACCEPTED
    assert re.search(r"^judge_sandbox_fallback_total [1-9]", worker.metrics(), re.MULTILINE)
    socket.rmdir()
    await eventually(lambda: len(agent_pids(worker)) > 1)
    assert agent_pids(worker)[-1] != agent
    again = await pipeline.ended(await pipeline.submit(question, "print(3 if '1' in input() else 11)"))
    assert again.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED


async def test_inv_7_the_job_of_a_frozen_agent_is_tried_again(pipeline: Pipeline) -> None:
    """Neither the slot nor the job waits for ever, though the heartbeat keeps the lease alive.

    Whoever has a box by then needs the agent no more, and ends at the first attempt.
    """
    worker, _ = await asyncio.gather(pipeline.worker(), pipeline.relay())
    [agent] = agent_pids(worker)
    submission = await pipeline.submit(await pipeline.questions.add({"1 2": "3"}), SLOW)
    await pipeline.running(submission)
    await eventually(lambda: '"stage":"fetch_data"' in worker.log())
    os.kill(agent, signal.SIGSTOP)
    found = await pipeline.ended(submission)
    assert found.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
    *failed, last = [(each.outcome, each.reason) for each in found.attempts]
    assert last == ("finished", "AC")
    assert failed in ([], [("failed", "sandbox_crash")])
    await eventually(lambda: agent_pids(worker)[-1] != agent)


async def test_neither_normal_nor_bulk_jobs_are_starved_by_a_contest(pipeline: Pipeline) -> None:
    """Contest jobs wait all the time, and one of each lower band is taken before they end."""
    question = await pipeline.questions.add()
    normal, bulk, *contest = [await pipeline.submit(question) for _ in range(62)]
    await pipeline.has_queued(62)
    await pipeline.forget_queues()
    await pipeline.enqueue("light:bulk", {"job_id": bulk, **MESSAGE})
    await pipeline.enqueue("light:normal", {"job_id": normal, **MESSAGE})
    for job in contest:
        await pipeline.enqueue("light:contest", {"job_id": job, **MESSAGE})
    worker = await pipeline.worker()
    await pipeline.ended(bulk)
    await pipeline.ended(normal)
    claimed = claimed_jobs(worker)
    assert 0 < claimed.index(bulk) < len(contest)
    assert 0 < claimed.index(normal) < len(contest)
