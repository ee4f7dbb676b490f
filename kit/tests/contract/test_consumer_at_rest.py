"""What a consumer asks of the server while nothing comes, and that it then leaves room to others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_kit.streams import Consumer, ConsumerOptions, Delivery, Done, FieldsCodec, Outcome, connect, each
from deepoj_kit.streams.options import Permits, Unlimited
from deepoj_kit.testing.conditions import PATIENCE, eventually, running
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import unread
from kit.tests.publisher import Publisher

STREAMS = ["first", "second", "third"]
SOME_WAITS = 20
GROUP = "workers"


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)


@pytest.fixture
async def alone(private_redis: PrivateServer) -> AsyncIterator[Redis]:
    """A server of its own, so that all it counts is ours."""
    client = connect(private_redis.url)
    yield client
    await client.aclose()


async def asked(redis: Redis, command: str) -> int:
    counts = cast("dict[str, dict[str, int]]", await redis.info("commandstats"))
    return counts.get(f"cmdstat_{command}", {"calls": 0})["calls"]


class Seen:
    def __init__(self) -> None:
        self.numbers: list[int] = []

    async def __call__(self, delivery: Delivery[Thing]) -> Outcome:
        self.numbers.append(delivery.message.number)
        return Done()


def consumer(redis: Redis, seen: Seen, permits: Permits) -> Consumer[Thing]:
    options = ConsumerOptions(batch=1, block=0.005, permits=permits, reclaim_interval=PATIENCE * 2)
    return Consumer(
        redis, group=GROUP, name="me", streams=STREAMS, codec=CODEC, handler=each(seen), options=options
    )


async def test_one_command_waits_at_all_streams_and_priority_is_asked_when_something_came(
    alone: Redis,
) -> None:
    async def has_waited() -> bool:
        return await asked(alone, "xreadgroup") > SOME_WAITS

    seen = Seen()
    async with running(consumer(alone, seen, Unlimited())):
        await eventually(has_waited)
        await alone.config_resetstat()
        await eventually(has_waited)
        assert await asked(alone, "evalsha") == 0
        await Publisher(alone, STREAMS[2], CODEC).publish([Thing(1)])
        await eventually(lambda: seen.numbers == [1])


class Door:
    """Permits of which there are none while it is shut."""

    def __init__(self) -> None:
        self.left = 1
        self.is_knocked_at = False

    async def acquire(self) -> None:
        self.is_knocked_at = self.left == 0
        await eventually(lambda: self.left > 0)

    async def try_acquire(self) -> bool:
        return self.left > 0

    def release(self) -> None:
        pass


async def test_it_waits_no_longer_when_the_last_permit_is_gone(alone: Redis) -> None:
    async def has_waited() -> bool:
        return await asked(alone, "xreadgroup") > SOME_WAITS

    seen, door = Seen(), Door()
    async with running(consumer(alone, seen, door)):
        await eventually(has_waited)
        door.left = 0
        await eventually(lambda: door.is_knocked_at)
        await Publisher(alone, STREAMS[0], CODEC).publish([Thing(1)])
        assert await unread(alone, STREAMS[0], GROUP) == 1
        door.left = 1
        await eventually(lambda: seen.numbers == [1])
