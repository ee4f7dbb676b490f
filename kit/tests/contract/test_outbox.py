"""Writing to the outbox, purging it, and what its table refuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

import pytest
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span
from redis.asyncio import Redis
from sqlalchemy import MetaData, Table, func, select, update

from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Outbox, Relay, outbox_table
from deepoj_kit.postgres import ConstraintViolated, Database, DatabaseOptions, compiled
from deepoj_kit.purge import Purge
from deepoj_kit.testing.conditions import ManualClock, eventually, running
from deepoj_kit.testing.streams import entries

CreateTables = Callable[[MetaData], Awaitable[None]]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def table(database: Database, create_tables: CreateTables) -> Table:
    """Return an outbox in a schema whose name needs quotes."""
    async with database.connection() as connection:
        await connection.execute('CREATE SCHEMA "My schema"')
    metadata = MetaData(schema="My schema")
    made = outbox_table(metadata)
    await create_tables(metadata)
    return made


@pytest.fixture
def outbox(table: Table, clock: ManualClock) -> Outbox:
    return Outbox(table, clock=clock, new_id=Uuid7(clock))


async def rows(database: Database, table: Table) -> int:
    async with database.connection() as connection:
        rows = await connection.execute(*compiled(select(func.count()).select_from(table)))
        return int((await rows.fetchall())[0][0])


async def test_rows_live_and_die_with_the_transaction(
    database: Database, table: Table, outbox: Outbox
) -> None:
    async with database.transaction() as connection, connection.transaction(force_rollback=True):
        await outbox.add(connection, [outbox.compose("things", {"a": "1"})])
    assert await rows(database, table) == 0
    async with database.transaction() as connection:
        await outbox.add(connection, [outbox.compose("things", {"a": "1"})])
    async with database.transaction() as connection:
        await outbox.add(connection, [outbox.compose("things", {"a": "2"}) for _ in range(3)])
    assert await rows(database, table) == 4


async def test_a_second_row_with_the_same_key_is_not_added(
    database: Database, table: Table, outbox: Outbox
) -> None:
    first, again, other = (
        outbox.compose(stream, {}, key="k") for stream in ("things", "things", "other things")
    )
    async with database.connection() as connection:
        assert await outbox.add(connection, [first]) == [first]
        assert await outbox.add(connection, [again, other]) == [other]
        assert await outbox.add(connection, []) == []
    assert await rows(database, table) == 2


async def test_a_row_carries_the_trace_of_its_writer(
    database: Database, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    writer = SpanContext(trace_id=0xABC, span_id=0xDEF, is_remote=False, trace_flags=TraceFlags(1))
    with use_span(NonRecordingSpan(writer)):
        row = outbox.compose(stream, {})
    async with database.connection() as connection:
        await outbox.add(connection, [row])
    await Relay(outbox, database, redis, clock=clock).deliver_due()
    [(_, fields)] = await entries(redis, stream)
    assert fields["traceparent"] == f"00-{0xABC:032x}-{0xDEF:016x}-01"


async def test_nothing_is_delivered_without_its_stream_entry(
    database: Database, table: Table, outbox: Outbox, clock: ManualClock
) -> None:
    async with database.connection() as connection:
        await outbox.add(connection, [outbox.compose("things", {})])
    with pytest.raises(ConstraintViolated, match="outbox_delivered_has_entry"):
        async with database.connection() as connection:
            await connection.execute(*compiled(update(table).values(delivered_at=clock())))


async def test_purge_deletes_only_what_was_delivered_long_ago(
    database: Database, table: Table, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    relay = Relay(outbox, database, redis, clock=clock)
    async with database.connection() as connection:
        await outbox.add(connection, [outbox.compose(stream, {}) for _ in range(25)])
        assert await relay.deliver_due() == 25
        await outbox.add(connection, [outbox.compose(stream, {}) for _ in range(3)])
        clock.advance(days=2)
        await outbox.add(connection, [outbox.compose(stream, {}) for _ in range(4)])
    assert await outbox.purge(database, timedelta(days=1), batch=10) == 25
    assert await rows(database, table) == 7


async def test_old_rows_go_away_by_themselves_and_an_outage_only_delays_it(
    database: Database, table: Table, outbox: Outbox, clock: ManualClock, redis: Redis, stream: str
) -> None:
    async with database.connection() as connection:
        await outbox.add(connection, [outbox.compose(stream, {}) for _ in range(3)])
    assert await Relay(outbox, database, redis, clock=clock).deliver_due() == 3
    clock.advance(days=2)
    nowhere = Database("postgresql://nobody@127.0.0.1:1/none", DatabaseOptions(acquire_timeout=0.05))
    async with nowhere:
        day, at_once = timedelta(days=1), timedelta(milliseconds=1)
        interrupted = Purge(partial(outbox.purge, nowhere), keep=day, interval=at_once)
        working = Purge(partial(outbox.purge, database), keep=day)

        async def gone() -> bool:
            return await rows(database, table) == 0

        async with running(interrupted, working):
            await eventually(gone)


async def test_due_rows_are_found_by_index_among_many_delivered_ones(
    database: Database, table: Table, outbox: Outbox, clock: ManualClock
) -> None:
    delivered = update(table).values(delivered_at=clock(), stream_entry_id="1-0")
    async with database.transaction() as connection:
        await outbox.add(connection, [outbox.compose("things", {}) for _ in range(5000)])
        await connection.execute(*compiled(delivered))
    async with database.connection() as connection:
        await connection.execute('ANALYZE "My schema".outbox')
        plan = await connection.execute(
            'EXPLAIN SELECT id FROM "My schema".outbox'
            " WHERE delivered_at IS NULL AND next_attempt_at <= now()"
            " ORDER BY next_attempt_at, id LIMIT 256 FOR UPDATE SKIP LOCKED"
        )
        assert "Index Scan using outbox_pending" in "\n".join(row[0] for row in await plan.fetchall())
