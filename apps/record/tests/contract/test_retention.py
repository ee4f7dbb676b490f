"""How much the streams keep, whoever sends: the process that committed, or the relay."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.record.tests.fakes import StoppedClock
from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.testing import ALICE, QUESTION
from deepoj_kit.testing.conditions import eventually
from deepoj_record.commands.report_failure import FailedAttempt
from deepoj_record.commands.submit import SubmitRequest
from deepoj_record.container import Container

WORKER = WorkerId("judge-1")
MOST_JOBS, OLD = 200_000, 500
DAY, WEEK, HOUR = timedelta(days=1), timedelta(days=7), timedelta(hours=1)
# A stream is cut between blocks of entries, so some more stay than were asked for.
BLOCK = 100
FILL = "for n = 1, ARGV[2] do redis.call('XADD', KEYS[1], ARGV[1] .. '-' .. n, 'old', 'yes') end"


@pytest.mark.parametrize("sender", ["publisher", "relay"])
async def test_jobs_are_bounded_by_number_and_events_and_dead_letters_by_age(
    container: Container, clock: StoppedClock, sender: str
) -> None:
    streams, redis = container.streams(), container.redis()
    jobs = streams.jobs(Lane.HEAVY, Band.NORMAL)
    await fill(container, jobs, MOST_JOBS + OLD, clock, HOUR)
    for stream, keep in ((streams.submission_events, DAY), (streams.dead_letters, WEEK)):
        await fill(container, stream, OLD, clock, keep + HOUR)
        await fill(container, stream, 1, clock, keep - HOUR)
    if sender == "publisher":
        await published(container)
    else:
        await a_dead_job(container)
        await container.relay().deliver_due()
    assert MOST_JOBS <= await redis.xlen(jobs) < MOST_JOBS + BLOCK
    # Submitted, started, dead; and one letter. The young entry stays beside them.
    for stream, new in ((streams.submission_events, 3), (streams.dead_letters, 1)):
        assert 1 + new <= await redis.xlen(stream) < 1 + new + BLOCK


async def fill(container: Container, stream: str, count: int, clock: StoppedClock, age: timedelta) -> None:
    moment = int((clock() - age).timestamp() * 1000)
    await container.redis().eval(FILL, 1, stream, str(moment), str(count))


async def published(container: Container) -> None:
    publisher, stop = container.publisher(), asyncio.Event()
    container.publish.override(providers.Object(publisher.publish))
    running = asyncio.create_task(publisher.run(stop))
    await a_dead_job(container)
    await eventually(lambda: is_sent(container))
    stop.set()
    await running


async def a_dead_job(container: Container) -> None:
    request = SubmitRequest(
        actor=Actor(ALICE, Role.CONTESTANT),
        submission_id=SubmissionId(uuid4()),
        idempotency_key="",
        question_id=QUESTION,
        game_id=None,
        language="cpp17",
        source="int main() {}",
    )
    await container.submission_use_cases().submit(request)
    workers, job = container.worker_use_cases(), request.submission_id
    await workers.claim(WORKER, [job])
    await workers.report_failure(WORKER, [FailedAttempt(job, 1, Failure.MALFORMED_JOB, "")])


async def is_sent(container: Container) -> bool:
    async with container.database().connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM record.outbox WHERE delivered_at IS NULL")
        return await cursor.fetchone() == (0,)
