"""Entries change hands: taken over from a consumer that is gone, and left behind by one that stops."""

from __future__ import annotations

import asyncio

import msgspec
from redis.asyncio import Redis

from deepoj_kit.streams import (
    Consumer,
    ConsumerOptions,
    Delivery,
    Done,
    FieldsCodec,
    Handler,
    Outcome,
    connect,
    each,
)
from deepoj_kit.streams.metrics import ConsumerMetrics
from deepoj_kit.streams.reader import GroupReader
from deepoj_kit.testing.conditions import PATIENCE, eventually, running
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import pending, settled, unread
from kit.tests.publisher import Publisher

GROUP = "workers"


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)


def consumer(redis: Redis, stream: str, handler: Handler[Thing], options: ConsumerOptions) -> Consumer[Thing]:
    return Consumer(
        redis,
        group=GROUP,
        name="me",
        streams=[stream],
        codec=CODEC,
        handler=each(handler),
        options=options,
    )


async def publish(redis: Redis, stream: str, *numbers: int) -> list[str]:
    return await Publisher(redis, stream, CODEC).publish([Thing(number) for number in numbers])


async def test_abandoned_entries_are_taken_over_with_their_delivery_count(redis: Redis, stream: str) -> None:
    await redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
    await publish(redis, stream, 1, 2)
    await redis.xreadgroup(GROUP, "dead", {stream: ">"})
    handled: list[tuple[int, int, bool]] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append((delivery.message.number, delivery.count, delivery.reclaimed))
        return Done()

    options = ConsumerOptions(block=0.05, min_idle=0.01, reclaim_interval=0.02)
    async with running(consumer(redis, stream, handle, options)):
        await eventually(lambda: len(handled) == 2)
        await eventually(lambda: settled(redis, stream, GROUP))
    assert handled == [(1, 2, True), (2, 2, True)]


async def test_an_entry_still_being_handled_is_not_taken_over_from_itself(redis: Redis, stream: str) -> None:
    handled: list[int] = []
    finish = asyncio.Event()

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        if delivery.message.number == 1:
            await finish.wait()
        return Done()

    async def claimed_again() -> bool:
        rows = await redis.xpending_range(stream, GROUP, min="-", max="+", count=10)
        return int(rows[0]["times_delivered"]) > 2

    await publish(redis, stream, 1)
    options = ConsumerOptions(calls=2, block=0.01, min_idle=0.001, reclaim_interval=0.001)
    async with running(consumer(redis, stream, handle, options)):
        await eventually(lambda: handled == [1])
        await eventually(claimed_again)
        finish.set()
        await eventually(lambda: settled(redis, stream, GROUP))
    assert handled == [1]


async def test_the_claim_goes_on_where_the_last_one_ended(redis: Redis, stream: str) -> None:
    await redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
    entries = await publish(redis, stream, *range(6))
    await redis.xreadgroup(GROUP, "dead", {stream: ">"})
    reader = GroupReader(redis, GROUP, "me", [stream], favour_every=0, metrics=ConsumerMetrics(GROUP))
    claimed = [[item.entry.id for item in await reader.reclaim(2, min_idle=0)] for _ in range(4)]
    assert claimed == [entries[:2], entries[2:4], entries[4:], entries[:2]]


async def test_a_stop_lets_handlers_finish(redis: Redis, stream: str) -> None:
    begun, finish = asyncio.Event(), asyncio.Event()

    async def handle(_: Delivery[Thing]) -> Outcome:
        begun.set()
        await finish.wait()
        return Done()

    await publish(redis, stream, 1)
    stop = asyncio.Event()
    task = asyncio.create_task(consumer(redis, stream, handle, ConsumerOptions(block=0.05)).run(stop))
    await begun.wait()
    stop.set()
    entries_after_stop = await publish(redis, stream, 2)
    finish.set()
    await asyncio.wait_for(task, PATIENCE)
    assert await pending(redis, stream, GROUP) == 0
    assert len(entries_after_stop) == await unread(redis, stream, GROUP) == 1


async def test_a_handler_that_outlasts_the_drain_is_cut_and_its_entry_stays_pending(
    redis: Redis, stream: str
) -> None:
    begun = asyncio.Event()
    cut: list[bool] = []

    async def handle(_: Delivery[Thing]) -> Outcome:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cut.append(True)
            raise
        return Done()

    await publish(redis, stream, 1)
    options = ConsumerOptions(block=0.05, drain_timeout=0.05)
    async with running(consumer(redis, stream, handle, options)):
        await begun.wait()
    assert cut == [True]
    assert await pending(redis, stream, GROUP) == 1


async def test_what_the_last_read_brought_is_still_handled(private_redis: PrivateServer) -> None:
    handled: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        return Done()

    async def reader_is_blocked() -> bool:
        return any("b" in client["flags"] for client in await redis.client_list())

    redis = connect(private_redis.url)
    await redis.xgroup_create("things", GROUP, id="0", mkstream=True)
    stop = asyncio.Event()
    task = asyncio.create_task(consumer(redis, "things", handle, ConsumerOptions(block=4.0)).run(stop))
    await eventually(reader_is_blocked)
    stop.set()
    await publish(redis, "things", 1)
    await asyncio.wait_for(task, PATIENCE)
    assert handled == [1]
    assert await settled(redis, "things", GROUP)
    await redis.aclose()
