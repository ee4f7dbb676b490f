"""Whoever watches a submission is woken by every change of it, and by each of them once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.states import Status
from deepoj_domain.testing import SUBMISSION, a_submission
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.testing.waiting import PATIENCE
from deepoj_record.commands.ports import Stored
from deepoj_record.outbound.redis.changes import RedisChanges
from deepoj_record.queries.views import Written

RUNNING, FINISHED = Status.RUNNING, Status.FINISHED
HERE, THERE = SubmissionId(UUID(int=1)), SubmissionId(UUID(int=2))
NEVER = 3600.0


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis


@pytest.fixture
def stream(key_prefix: str) -> str:
    return f"{key_prefix}events"


def a_row(stream: str, about: SubmissionId) -> OutboxRow:
    now, data = datetime.now(UTC), json.dumps({"submission": {"id": str(about)}})
    return OutboxRow(uuid4(), stream, None, {"data": data}, {}, now, now, now)


async def test_what_this_process_wrote_comes_with_the_hint_unless_a_look_is_due(
    redis: Redis, stream: str
) -> None:
    changes = RedisChanges(redis, stream, recheck=NEVER, soon=NEVER)
    states = [Stored(a_submission(status), version) for version, status in enumerate((RUNNING, FINISHED), 1)]
    async with asyncio.timeout(PATIENCE), changes.of(SUBMISSION) as hints:
        changes.written([a_row(stream, SUBMISSION)], states[:1])
        assert await anext(hints) is None
        for state in states:
            changes.written([a_row(stream, SUBMISSION)], [state])
        assert await anext(hints) == Written(states[1].submission, 2)
        changes.written([a_row(stream, SUBMISSION)], [])
        changes.written([a_row(stream, SUBMISSION)], states[1:])
        assert await anext(hints) is None


async def test_whoever_begins_looks_once_more_soon_though_nothing_was_told(redis: Redis, stream: str) -> None:
    changes = RedisChanges(redis, stream, recheck=NEVER, soon=0.01)
    async with asyncio.timeout(PATIENCE), changes.of(HERE) as hints:
        assert [await anext(hints) for _ in range(2)] == [None, None]
        later = asyncio.ensure_future(anext(hints))
        changes.written([a_row(stream, THERE)], [])
        changes.written([a_row(stream, HERE)], [])
        assert await later is None


async def test_a_change_of_this_process_wakes_once_and_one_of_another_too(redis: Redis, stream: str) -> None:
    changes, stop = RedisChanges(redis, stream, recheck=NEVER, soon=NEVER), asyncio.Event()
    following = asyncio.create_task(changes.run(stop))
    async with asyncio.timeout(PATIENCE), changes.of(HERE) as here, changes.of(THERE) as there:
        # Everybody looks once in the beginning, and once when the stream is followed.
        for _ in range(2):
            await anext(here)
            await anext(there)
        own, foreign = a_row(stream, HERE), a_row(stream, THERE)
        changes.written([own], [])
        await anext(here)
        again = asyncio.ensure_future(anext(here))
        entries = [NewEntry(stream, row.fields()) for row in (own, foreign)]
        await append(redis, entries, datetime.now(UTC))
        await anext(there)
        assert not again.done()
        changes.written([a_row(stream, HERE)], [])
        await again
    stop.set()
    await following
