from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.backoff import Backoff
from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Delivered, Outbox, Relay, RelayOptions, outbox_table
from deepoj_kit.postgres import Connection, Database, Listener, Notifier
from deepoj_kit.testing.conditions import ManualClock, eventually, running
from deepoj_kit.testing.streams import entries

QUICK = RelayOptions(
    sweep=0.05, row_backoff=Backoff(first=0.5, cap=30), outage_backoff=Backoff(first=0.01, cap=0.1)
)
ONLY_WOKEN = RelayOptions(sweep=3600)


@pytest.fixture
async def outbox(create_tables: Callable[[MetaData], Awaitable[None]]) -> Outbox:
    metadata = MetaData()
    table = outbox_table(metadata)
    await create_tables(metadata)
    return Outbox(table, clock=system_clock, new_id=Uuid7())


async def add(database: Database, outbox: Outbox, stream: str, *numbers: int) -> None:
    async with database.connection() as connection:
        await outbox.add(connection, [outbox.compose(stream, {"number": str(each)}) for each in numbers])


async def sent(redis: Redis, stream: str) -> list[int]:
    return [int(fields["number"]) for _, fields in await entries(redis, stream)]


async def pending(database: Database) -> int:
    return len(await column(database, "id", "delivered_at IS NULL"))


async def column(database: Database, name: str, condition: str = "true") -> list[object]:
    query = f"SELECT {name} FROM outbox WHERE {condition} ORDER BY id"  # noqa: S608 — literals of this file
    async with database.connection() as connection:
        return [row[0] for row in await (await connection.execute(query.encode())).fetchall()]


async def test_due_rows_are_sent_in_order_and_marked_with_their_entry(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    await add(database, outbox, stream, 1, 2, 3)
    assert await Relay(outbox, database, redis, clock=system_clock).deliver_due() == 3
    found = await entries(redis, stream)
    assert [fields["number"] for _, fields in found] == ["1", "2", "3"]
    assert [entry for entry, _ in found] == await column(database, "stream_entry_id")
    assert [fields["message_id"] for _, fields in found] == await column(database, "id::text")
    assert await column(database, "attempts") == [1, 1, 1]


async def test_a_delayed_row_waits_for_its_time(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    clock = ManualClock()
    async with database.connection() as connection:
        delayed = Outbox(outbox_table(MetaData()), clock=clock, new_id=Uuid7(clock))
        await delayed.add(connection, [delayed.compose(stream, {"number": "1"}, delay=timedelta(seconds=8))])
    relay = Relay(outbox, database, redis, clock=clock)
    clock.advance(seconds=7.999)
    assert await relay.deliver_due() == 0
    clock.advance(seconds=0.001)
    assert await relay.deliver_due() == 1


async def test_the_relay_wakes_by_itself_when_a_delayed_row_is_due(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    async with database.connection() as connection:
        row = outbox.compose(stream, {"number": "1"}, delay=timedelta(milliseconds=300))
        await outbox.add(connection, [row])
    async with running(Relay(outbox, database, redis, clock=system_clock, options=ONLY_WOKEN)):
        await eventually(lambda: is_sent(redis, stream, 1))


async def is_sent(redis: Redis, stream: str, number: int) -> bool:
    return number in await sent(redis, stream)


async def test_a_notification_wakes_the_relay(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    relay = Relay(outbox, database, redis, clock=system_clock, options=ONLY_WOKEN)
    notifier = Notifier(database, outbox.channel)
    async with running(relay, Listener(database, {outbox.channel: relay.wake}), notifier):
        for number in range(3):
            await add(database, outbox, stream, number)
            notifier.notify()
            await eventually(lambda number=number: is_sent(redis, stream, number))


async def test_a_row_committed_late_is_not_skipped(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    relay = Relay(outbox, database, redis, clock=system_clock)
    early = outbox.compose(stream, {"number": "1"})
    async with database.transaction() as slow:
        await outbox.add(slow, [early])
        await add(database, outbox, stream, 2)
        assert await relay.deliver_due() == 1
    assert await relay.deliver_due() == 1
    assert await sent(redis, stream) == [2, 1]


async def test_relays_side_by_side_send_each_row_once(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    options = RelayOptions(batch=7, sweep=0.01)
    relays = [Relay(outbox, database, redis, clock=system_clock, options=options) for _ in range(3)]
    async with running(*relays):
        for start in range(0, 500, 50):
            await add(database, outbox, stream, *range(start, start + 50))
            for relay in relays:
                relay.wake.set()
        await eventually(lambda: nothing_pending(database))
    assert sorted(await sent(redis, stream)) == list(range(500))


async def nothing_pending(database: Database) -> bool:
    return await pending(database) == 0


async def test_a_row_that_redis_refuses_waits_longer_each_time_and_blocks_no_other(
    database: Database, outbox: Outbox, redis: Redis, stream: str, key_prefix: str
) -> None:
    clock = ManualClock(system_clock() + timedelta(minutes=1))
    await redis.set(f"{key_prefix}text", "not a stream")
    await add(database, outbox, f"{key_prefix}text", 1)
    await add(database, outbox, stream, 2)
    relay = Relay(outbox, database, redis, clock=clock, options=QUICK)
    assert await relay.deliver_due() == 2
    assert await sent(redis, stream) == [2]
    for attempts, seconds in ((1, 0.5), (2, 1.0), (3, 2.0)):
        assert await column(database, "attempts", "delivered_at IS NULL") == [attempts]
        assert await column(database, "next_attempt_at", "delivered_at IS NULL") == [
            clock() + timedelta(seconds=seconds)
        ]
        assert await relay.deliver_due() == 0
        clock.advance(seconds=seconds)
        assert await relay.deliver_due() == 1
    [error] = await column(database, "last_error", "delivered_at IS NULL")
    assert str(error).startswith("WRONGTYPE")


async def test_the_hook_shares_the_transaction_of_the_mark(
    database: Database, outbox: Outbox, redis: Redis, stream: str
) -> None:
    async def fail(connection: Connection, delivered: Sequence[Delivered]) -> None:
        await note(connection, delivered)
        raise ValueError("hook")

    async def note(connection: Connection, delivered: Sequence[Delivered]) -> None:
        entries = [each.entry_id for each in delivered]
        await connection.execute("INSERT INTO seen SELECT unnest(%s::text[])", (entries,))

    async with database.connection() as connection:
        await connection.execute("CREATE TABLE seen (entry text)")
    await add(database, outbox, stream, 1)
    with pytest.raises(ValueError, match="hook"):
        await Relay(outbox, database, redis, clock=system_clock, on_delivered=fail).deliver_due()
    assert await pending(database) == 1
    await Relay(outbox, database, redis, clock=system_clock, on_delivered=note).deliver_due()
    async with database.connection() as connection:
        seen = await (await connection.execute("SELECT entry FROM seen")).fetchall()
    assert [row[0] for row in seen] == await column(database, "stream_entry_id")
