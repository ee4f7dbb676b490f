"""What the relay survives: Redis or PostgreSQL restarted, and the relay itself killed."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.backoff import Backoff
from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Outbox, Relay, RelayOptions, outbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.streams import connect
from deepoj_kit.testing.conditions import eventually, running
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import entries
from kit.tests.tables import definitions

CHILD = Path(__file__).with_name("children") / "relay_that_waits_before_marking.py"
QUICK = RelayOptions(sweep=0.05, outage_backoff=Backoff(first=0.01, cap=0.1))


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


async def pending_errors(database: Database) -> list[str | None]:
    query = "SELECT last_error FROM outbox WHERE delivered_at IS NULL"
    async with database.connection() as connection:
        return [row[0] for row in await (await connection.execute(query)).fetchall()]


async def nothing_pending(database: Database) -> bool:
    return await pending_errors(database) == []


@pytest.fixture
async def private_client(private_redis: PrivateServer) -> AsyncIterator[Redis]:
    client = connect(private_redis.url)
    yield client
    await client.aclose()


async def test_redis_restarted_under_the_relay_loses_no_row(
    database: Database, outbox: Outbox, private_redis: PrivateServer, private_client: Redis
) -> None:
    relay = Relay(outbox, database, private_client, clock=system_clock, options=QUICK)
    async with running(relay):
        await add(database, outbox, "things", 1)
        await eventually(lambda: nothing_pending(database))
        await asyncio.to_thread(private_redis.stop)
        await add(database, outbox, "things", *range(2, 30))
        await eventually(lambda: has_failed(database))
        assert len(await pending_errors(database)) == 28
        await asyncio.to_thread(private_redis.start)
        await eventually(lambda: nothing_pending(database))
    assert sorted(await sent(private_client, "things")) == list(range(1, 30))


async def has_failed(database: Database) -> bool:
    return any("ConnectionError" in error for error in await pending_errors(database) if error)


async def test_postgres_restarted_under_the_relay_loses_no_row(
    private_postgres: PrivateServer, redis: Redis, stream: str
) -> None:
    metadata = MetaData()
    outbox = Outbox(outbox_table(metadata), clock=system_clock, new_id=Uuid7())
    async with Database(private_postgres.url) as database:
        async with database.transaction() as connection:
            for statement in definitions(metadata):
                await connection.execute(statement)
        async with running(Relay(outbox, database, redis, clock=system_clock, options=QUICK)):
            await add(database, outbox, stream, 1)
            await eventually(lambda: nothing_pending(database))
            await asyncio.to_thread(private_postgres.stop)
            await asyncio.to_thread(private_postgres.start)
            await add(database, outbox, stream, 2)
            await eventually(lambda: nothing_pending(database))
    assert sorted(set(await sent(redis, stream))) == [1, 2]


async def test_killed_between_sending_and_marking_the_relay_repeats_and_loses_nothing(
    database: Database, outbox: Outbox, postgres_url: str, redis: Redis, redis_url: str, stream: str
) -> None:
    await add(database, outbox, stream, 1, 2, 3)
    child = await asyncio.create_subprocess_exec(
        sys.executable, str(CHILD), postgres_url, redis_url, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"sent\n"
    child.send_signal(signal.SIGKILL)
    await child.wait()
    assert await sent(redis, stream) == [1, 2, 3]
    assert len(await pending_errors(database)) == 3

    async with running(Relay(outbox, database, redis, clock=system_clock, options=QUICK)):
        await eventually(lambda: nothing_pending(database))
    found = [fields for _, fields in await entries(redis, stream)]
    assert found[:3] == found[3:]  # the inbox knows the second three by their message ids
