"""Jobs begin no faster than all workers together may, and nothing is held by who waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import cycle
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from deepoj_judgement.commands.worker.slots import Slots
from deepoj_judgement.outbound.redis.limiter import JobRate, LimitedSlots
from deepoj_kit.streams import connect
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.plugin import PrivateServer

SLOW = 0.001


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as client:
        yield client


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:12]}"


async def test_workers_share_the_tokens_of_a_second_and_then_wait_for_the_next(
    redis: Redis, env: str
) -> None:
    workers = cycle(JobRate(redis, env, 5) for _ in range(2))
    begun, taken = time.monotonic(), 0
    while not (wait := await next(workers).take()):
        taken += 1
    assert 5 <= taken <= 5 + 5 * (time.monotonic() - begun)
    assert 0 < wait <= 0.2


async def test_a_bucket_that_is_full_again_leaves_no_key_behind(redis: Redis, env: str) -> None:
    assert await JobRate(redis, env, 1).take() == 0
    [key] = await redis.keys(f"deepoj:{env}:*")

    async def is_gone() -> bool:
        return not await redis.exists(key)

    await eventually(is_gone)


@pytest.mark.parametrize("lie", ["", "nonsense", "nan", "inf", "-inf", "1e300", "99999999999999999999", "-5"])
async def test_what_no_bucket_can_say_holds_nobody_up(redis: Redis, env: str, lie: str) -> None:
    """Every judge host may write the key."""
    await redis.set(f"deepoj:{env}:job-rate", lie)
    rate = JobRate(redis, env, SLOW)
    assert await rate.take() == 0
    assert await rate.take() > 0


class Counted(JobRate):
    asked = 0

    async def take(self) -> float:
        wait = await super().take()
        self.asked += 1
        return wait


async def test_who_waits_for_a_token_holds_no_slot(redis: Redis, env: str) -> None:
    slots, rate = Slots(2), Counted(redis, env, SLOW)
    limited = LimitedSlots(slots, rate)
    await limited.acquire()
    with limited.job("job"):
        pass
    assert not await limited.try_acquire()
    waiting = asyncio.create_task(limited.acquire())
    await eventually(lambda: rate.asked == 3)
    await eventually(lambda: slots.used == 1)
    assert not waiting.done()
    waiting.cancel()
    limited.release()
    assert slots.used == 0


async def test_a_slot_that_no_job_used_gives_its_token_to_the_next(redis: Redis, env: str) -> None:
    limited = LimitedSlots(Slots(1), JobRate(redis, env, SLOW))
    for _ in range(3):
        assert await limited.try_acquire()
        limited.release()
    await limited.acquire()
    with limited.job("job"):
        pass
    limited.release()
    assert not await limited.try_acquire()


async def test_without_a_rate_nothing_is_asked_and_without_redis_nothing_is_held_up(
    private_redis: PrivateServer, env: str
) -> None:
    async with connect(private_redis.url) as redis:
        private_redis.kill()
        for rate in (0, SLOW):
            limited = LimitedSlots(Slots(2), JobRate(redis, env, rate))
            await limited.acquire()
            await limited.acquire()
