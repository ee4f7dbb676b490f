"""Consumers that share their room: nothing is read without room, and what came all the same is given back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_kit.streams import (
    Consumer,
    ConsumerOptions,
    Delivery,
    Done,
    FieldsCodec,
    Outcome,
    connect,
    each,
)
from deepoj_kit.testing.conditions import PATIENCE, eventually, running
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import pending, settled
from kit.tests.publisher import Publisher

GROUP = "workers"
LONG = 2 * PATIENCE


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)


class Room:
    """Permits that remember nothing but their number."""

    def __init__(self, places: int) -> None:
        self.free = asyncio.Semaphore(places)
        self.left = places

    async def acquire(self) -> None:
        await self.free.acquire()
        self.left -= 1

    async def try_acquire(self) -> bool:
        if self.free.locked():
            return False
        await self.acquire()
        return True

    def release(self) -> None:
        self.left += 1
        self.free.release()


class Gated:
    """A handler whose calls end one by one, as told."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.finish = asyncio.Semaphore(0)

    async def __call__(self, delivery: Delivery[Thing]) -> Outcome:
        self.begun.append(delivery.message.number)
        await self.finish.acquire()
        return Done()


def consumer(redis: Redis, name: str, streams: list[str], handler: Gated, room: Room) -> Consumer[Thing]:
    options = ConsumerOptions(calls=2, batch=1, block=2.0, permits=room, min_idle=LONG, reclaim_interval=0.05)
    return Consumer(
        redis, group=GROUP, name=name, streams=streams, codec=CODEC, handler=each(handler), options=options
    )


async def publish(redis: Redis, stream: str, *numbers: int) -> None:
    await Publisher(redis, stream, CODEC).publish([Thing(number) for number in numbers])


def reached(handler: Gated, calls: int) -> bool:
    return len(handler.begun) == calls


async def names(redis: Redis, stream: str) -> list[bytes]:
    return [each["name"] for each in await redis.xinfo_consumers(stream, GROUP)]


@pytest.fixture
async def alone(private_redis: PrivateServer) -> AsyncIterator[Redis]:
    """A server of its own, so that every blocked client on it is ours."""
    client = connect(private_redis.url)
    yield client
    await client.aclose()


async def test_nothing_is_read_for_which_there_is_no_room(redis: Redis, key_prefix: str) -> None:
    first, second = f"{key_prefix}first", f"{key_prefix}second"
    await publish(redis, first, 1, 2)
    await publish(redis, second, 11, 12)
    for stream in (first, second):
        await redis.xgroup_create(stream, GROUP, id="0")
    handler, room = Gated(), Room(1)
    lanes = [consumer(redis, "me", [stream], handler, room) for stream in (first, second)]
    async with running(*lanes):
        for rounds in range(1, 5):
            await eventually(partial(reached, handler, rounds))
            assert await pending(redis, first, GROUP) + await pending(redis, second, GROUP) == 1
            handler.finish.release()
        await eventually(lambda: settled(redis, first, GROUP))
        await eventually(lambda: settled(redis, second, GROUP))
    assert sorted(handler.begun) == [1, 2, 11, 12]
    assert handler.begun[:2] in ([1, 11], [11, 1]), "who waits longest is next"


async def test_what_comes_to_a_waiting_reader_without_room_is_free_for_others_at_once(alone: Redis) -> None:
    async def reader_is_blocked() -> bool:
        return any("b" in client["flags"] for client in await alone.client_list())

    busy, idle, taken = Gated(), Gated(), Room(1)
    idle.finish.release()
    async with running(consumer(alone, "busy", ["things"], busy, taken)):
        await eventually(reader_is_blocked)
        await taken.acquire()
        await publish(alone, "things", 1)
        async with running(consumer(alone, "idle", ["things"], idle, Room(1))):
            # Long before it counts as abandoned.
            await eventually(lambda: idle.begun == [1])
            await eventually(lambda: settled(alone, "things", GROUP))
        taken.release()
    assert busy.begun == []


class Fleeting(Room):
    """Never free when asked, but soon."""

    async def try_acquire(self) -> bool:
        return False


async def test_a_permit_that_is_free_soon_is_waited_for(alone: Redis) -> None:
    async def reader_is_blocked() -> bool:
        return any("b" in client["flags"] for client in await alone.client_list())

    deliveries: list[Delivery[Thing]] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        deliveries.append(delivery)
        return Done()

    options = ConsumerOptions(batch=1, permits=Fleeting(1), min_idle=LONG, reclaim_interval=0.05)
    reader = Consumer(
        alone, group=GROUP, name="me", streams=["things"], codec=CODEC, handler=each(handle), options=options
    )
    async with running(reader):
        await eventually(reader_is_blocked)
        await publish(alone, "things", 1)
        await eventually(lambda: deliveries != [])
    assert [delivery.reclaimed for delivery in deliveries] == [False]


async def test_what_was_given_back_is_taken_again_when_there_is_room(alone: Redis) -> None:
    async def is_given_back() -> bool:
        rows = await alone.xpending_range("things", GROUP, min="-", max="+", count=1, idle=int(LONG * 1000))
        return bool(rows)

    async def reader_is_blocked() -> bool:
        return any("b" in client["flags"] for client in await alone.client_list())

    handler, room = Gated(), Room(1)
    async with running(consumer(alone, "me", ["things"], handler, room)):
        await eventually(reader_is_blocked)
        await room.acquire()
        await publish(alone, "things", 1)
        await eventually(is_given_back)
        room.release()
        await eventually(lambda: handler.begun == [1])
        handler.finish.release()
        await eventually(lambda: settled(alone, "things", GROUP))


async def test_a_stop_ends_the_wait_for_room_and_takes_the_name_away(redis: Redis, stream: str) -> None:
    room, handler = Room(1), Gated()
    await publish(redis, stream, 1)
    handler.finish.release()
    async with running(consumer(redis, "me", [stream], handler, room)):
        await eventually(lambda: handler.begun == [1])
        await eventually(lambda: settled(redis, stream, GROUP))
        await room.acquire()
    assert await names(redis, stream) == []


async def test_a_name_with_entries_left_stays(redis: Redis, stream: str) -> None:
    await redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
    await publish(redis, stream, 1)
    await redis.xreadgroup(GROUP, "me", {stream: ">"})
    async with running(consumer(redis, "me", [stream], Gated(), Room(1))):
        pass
    assert await names(redis, stream) == [b"me"]
    assert await pending(redis, stream, GROUP) == 1
