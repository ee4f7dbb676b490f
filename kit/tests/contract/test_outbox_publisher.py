from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Delivered, Outbox, OutboxPublisher, OutboxRow, Relay, outbox_table
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.streams import connect
from deepoj_kit.testing.conditions import ManualClock, eventually, running
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import entries


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def outbox(create_tables: Callable[[MetaData], Awaitable[None]], clock: ManualClock) -> Outbox:
    metadata = MetaData()
    table = outbox_table(metadata)
    await create_tables(metadata)
    return Outbox(table, clock=clock, new_id=Uuid7(clock), head_start=timedelta(seconds=2))


async def add(
    database: Database, outbox: Outbox, stream: str, count: int, delay: timedelta = timedelta(0)
) -> list[OutboxRow]:
    rows = [outbox.compose(stream, {"number": str(number)}, delay=delay) for number in range(count)]
    async with database.connection() as connection:
        return await outbox.add(connection, rows)


async def pending(database: Database) -> int:
    async with database.connection() as connection:
        cursor = await connection.execute("SELECT count(*) FROM outbox WHERE delivered_at IS NULL")
        row = await cursor.fetchone()
    return -1 if row is None else int(row[0])


async def nothing_pending(database: Database) -> bool:
    return await pending(database) == 0


async def test_committed_rows_are_sent_once_and_marked_with_the_hook(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    marked: list[OutboxRow] = []

    async def note(_: Connection, delivered: Sequence[Delivered]) -> None:
        marked.extend(each.row for each in delivered)

    rows = await add(database, outbox, stream, 5)
    publisher = OutboxPublisher(outbox, database, redis, clock=clock, on_delivered=note)
    async with running(publisher):
        for row in rows:
            publisher.publish([row])
        await eventually(lambda: nothing_pending(database))
    found = await entries(redis, stream)
    assert [fields["number"] for _, fields in found] == ["0", "1", "2", "3", "4"]
    assert marked == rows


async def test_a_stop_finishes_what_was_handed_over(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    publisher = OutboxPublisher(outbox, database, redis, clock=clock)
    publisher.publish(await add(database, outbox, stream, 700))
    async with running(publisher):
        pass
    assert await pending(database) == 0
    assert await redis.xlen(stream) == 700


async def test_the_relay_leaves_fresh_rows_to_the_publisher(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    await add(database, outbox, stream, 1)
    relay = Relay(outbox, database, redis, clock=clock)
    assert await relay.deliver_due() == 0
    clock.advance(seconds=2)
    assert await relay.deliver_due() == 1


async def test_rows_for_later_are_left_to_the_relay(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    publisher = OutboxPublisher(outbox, database, redis, clock=clock)
    publisher.publish(await add(database, outbox, stream, 1, delay=timedelta(milliseconds=1)))
    async with running(publisher):
        pass
    assert await pending(database) == 1
    assert await redis.xlen(stream) == 0


async def test_what_does_not_fit_the_queue_is_left_to_the_relay(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    publisher = OutboxPublisher(outbox, database, redis, clock=clock, capacity=2)
    publisher.publish(await add(database, outbox, stream, 2))
    publisher.publish(await add(database, outbox, stream, 1))
    async with running(publisher):
        pass
    assert await pending(database) == 1


async def test_without_redis_rows_stay_for_the_relay_and_the_publisher_goes_on(
    database: Database, outbox: Outbox, clock: ManualClock, private_redis: PrivateServer
) -> None:
    redis = connect(private_redis.url)
    private_redis.stop()
    publisher = OutboxPublisher(outbox, database, redis, clock=clock)
    async with running(publisher):
        publisher.publish(await add(database, outbox, "lost", 3))
        await eventually(lambda: not publisher.backlog)
        await asyncio.to_thread(private_redis.start)
        publisher.publish(await add(database, outbox, "things", 2))
        await eventually(lambda: has_length(redis, "things", 2))
    clock.advance(seconds=2)
    assert await Relay(outbox, database, redis, clock=clock).deliver_due() == 3
    assert await redis.xlen("lost") == 3
    assert await redis.xlen("things") == 2
    await redis.aclose()


async def test_rows_that_the_relay_has_marked_meanwhile_are_counted_as_repeated_and_told_to_nobody(
    database: Database,
    outbox: Outbox,
    clock: ManualClock,
    redis: Redis,
    stream: str,
    metric_reader: InMemoryMetricReader,
) -> None:
    told: list[Delivered] = []

    async def note(_: Connection, delivered: Sequence[Delivered]) -> None:
        told.extend(delivered)

    rows = await add(database, outbox, stream, 3)
    before = repeated(metric_reader)
    clock.advance(seconds=2)
    await Relay(outbox, database, redis, clock=clock).deliver_due()
    publisher = OutboxPublisher(outbox, database, redis, clock=clock, on_delivered=note)
    publisher.publish([*rows, *await add(database, outbox, stream, 1)])
    async with running(publisher):
        pass
    assert (len(told), await redis.xlen(stream)) == (1, 7)
    assert repeated(metric_reader) - before == 3


def repeated(reader: InMemoryMetricReader) -> float:
    data = reader.get_metrics_data()
    metrics = [
        metric
        for resource in (data.resource_metrics if data else [])
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == "outbox_dispatch"
    ]
    wanted = {"sender": "publisher", "status": "repeated", "reason": "already_marked"}
    return sum(
        float(getattr(point, "value", 0))
        for metric in metrics
        for point in metric.data.data_points
        if point.attributes == wanted
    )


async def has_length(redis: Redis, stream: str, length: int) -> bool:
    return await redis.xlen(stream) == length
