"""What a consumer survives: its Redis stopped, emptied, or the consumer itself killed."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.backoff import Backoff
from deepoj_kit.clock import system_clock
from deepoj_kit.inbox import Inbox, inbox_table
from deepoj_kit.postgres import Database
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
from deepoj_kit.testing.conditions import eventually, running
from deepoj_kit.testing.metrics import counted
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import pending, settled
from kit.tests.publisher import Publisher

CreateTables = Callable[[MetaData], Awaitable[None]]
GROUP = "workers"
CHILD = Path(__file__).with_name("children") / "consumer_that_waits_after_commit.py"


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)
QUICK = ConsumerOptions(
    block=0.05, backoff=Backoff(first=0.005, cap=0.05), min_idle=0.2, reclaim_interval=0.05
)


def consumer(redis: Redis, stream: str, handler: Handler[Thing]) -> Consumer[Thing]:
    return Consumer(
        redis,
        group=GROUP,
        name="me",
        streams=[stream],
        codec=CODEC,
        handler=each(handler),
        options=QUICK,
    )


async def publish(redis: Redis, stream: str, *numbers: int) -> None:
    await Publisher(redis, stream, CODEC).publish([Thing(number) for number in numbers])


@pytest.fixture
async def private_client(private_redis: PrivateServer) -> AsyncIterator[Redis]:
    client = connect(private_redis.url)
    yield client
    await client.aclose()


async def test_redis_restarted_under_the_consumer_loses_no_entry(
    private_redis: PrivateServer, private_client: Redis
) -> None:
    handled: list[int] = []
    begun, finish = asyncio.Event(), asyncio.Event()

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        if delivery.message.number == 1:
            begun.set()
            await finish.wait()
        return Done()

    await publish(private_client, "things", 1, 2)
    async with running(consumer(private_client, "things", handle)):
        await begun.wait()
        await asyncio.to_thread(private_redis.stop)
        finish.set()  # entry 1 and 2 are handled while nothing can be acknowledged
        await eventually(lambda: handled[:2] == [1, 2])
        await asyncio.to_thread(private_redis.start)
        await publish(private_client, "things", 3)
        await eventually(lambda: 3 in handled)
        await eventually(lambda: settled(private_client, "things", GROUP))
    assert set(handled) == {1, 2, 3}


async def test_the_group_is_made_again_after_a_flush_and_this_is_counted(
    private_client: Redis, metric_reader: InMemoryMetricReader
) -> None:
    handled: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        return Done()

    await publish(private_client, "things", 1)
    async with running(consumer(private_client, "things", handle)):
        await eventually(lambda: handled == [1])
        await private_client.flushall()
        await publish(private_client, "things", 2)
        await eventually(lambda: handled == [1, 2])
        await eventually(lambda: settled(private_client, "things", GROUP))
    assert counted(metric_reader, "stream_groups_lost", stream="things", group=GROUP) == 1


async def test_a_lost_group_reads_its_stream_anew(redis: Redis, stream: str) -> None:
    handled: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        return Done()

    await publish(redis, stream, 1)
    async with running(consumer(redis, stream, handle)):
        await eventually(lambda: handled == [1])
        await redis.xgroup_destroy(stream, GROUP)
        await eventually(lambda: handled == [1, 1])


async def test_killed_between_commit_and_acknowledgement_the_effect_exists_once(
    database: Database,
    create_tables: CreateTables,
    postgres_url: str,
    redis: Redis,
    redis_url: str,
    stream: str,
) -> None:
    metadata = MetaData()
    inbox = Inbox(inbox_table(metadata), clock=system_clock)
    await create_tables(metadata)
    async with database.connection() as connection:
        await connection.execute("CREATE TABLE effects (number int)")
    redelivered: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        redelivered.append(delivery.count)
        async with database.transaction() as connection:
            if await inbox.first_times(connection, GROUP, [delivery.message_id]):
                await connection.execute("INSERT INTO effects VALUES (%s)", (delivery.message.number,))
        return Done()

    await publish(redis, stream, 7)
    child = await asyncio.create_subprocess_exec(
        sys.executable, str(CHILD), postgres_url, redis_url, stream, GROUP, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"committed\n"
    child.send_signal(signal.SIGKILL)
    await child.wait()
    assert await pending(redis, stream, GROUP) == 1

    async with running(consumer(redis, stream, handle)):
        await eventually(lambda: settled(redis, stream, GROUP))
    assert redelivered == [2]
    async with database.connection() as connection:
        assert await (await connection.execute("SELECT number FROM effects")).fetchall() == [(7,)]
