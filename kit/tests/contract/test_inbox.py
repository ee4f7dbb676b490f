from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy import MetaData

from deepoj_kit.inbox import Inbox, inbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def inbox(create_tables: Callable[[MetaData], Awaitable[None]], clock: ManualClock) -> Inbox:
    metadata = MetaData()
    table = inbox_table(metadata)
    await create_tables(metadata)
    return Inbox(table, clock=clock)


async def test_a_message_is_new_once_for_each_consumer(database: Database, inbox: Inbox) -> None:
    async with database.connection() as connection:
        assert await inbox.first_times(connection, "one", ["m1"]) == {"m1"}
        assert await inbox.first_times(connection, "one", ["m1"]) == set()
        assert await inbox.first_times(connection, "two", ["m1"]) == {"m1"}


async def test_a_rolled_back_effect_leaves_the_message_new(database: Database, inbox: Inbox) -> None:
    async with database.transaction() as connection, connection.transaction(force_rollback=True):
        assert await inbox.first_times(connection, "one", ["m1"]) == {"m1"}
    async with database.transaction() as connection:
        assert await inbox.first_times(connection, "one", ["m1"]) == {"m1"}


async def test_a_redelivered_message_changes_nothing(database: Database, inbox: Inbox) -> None:
    async def apply(message_id: str) -> None:
        async with database.transaction() as connection:
            if await inbox.first_times(connection, "counter", [message_id]):
                await connection.execute("UPDATE counter SET value = value + 1")

    async with database.connection() as connection:
        await connection.execute("CREATE TABLE counter AS SELECT 0 AS value")
    await asyncio.gather(*(apply(message_id) for message_id in ["m1", "m2", "m1", "m1", "m2"]))
    async with database.connection() as connection:
        assert await (await connection.execute("SELECT value FROM counter")).fetchone() == (2,)


async def test_a_batch_returns_only_what_is_new(database: Database, inbox: Inbox) -> None:
    async with database.connection() as connection:
        assert await inbox.first_times(connection, "one", ["m1", "m2"]) == {"m1", "m2"}
        assert await inbox.first_times(connection, "one", ["m2", "m3", "m3"]) == {"m3"}
        assert await inbox.first_times(connection, "one", []) == set()


async def test_batches_with_common_messages_do_not_deadlock(database: Database, inbox: Inbox) -> None:
    ids = [f"m{number}" for number in range(200)]

    async def take(order: list[str]) -> int:
        async with database.transaction() as connection:
            return len(await inbox.first_times(connection, "one", order))

    found = await asyncio.gather(*(take(order) for order in (ids, ids[::-1], ids, ids[::-1])))
    assert sum(found) == 200


async def test_old_messages_are_forgotten_in_batches(
    database: Database, inbox: Inbox, clock: ManualClock
) -> None:
    async with database.connection() as connection:
        await inbox.first_times(connection, "one", [f"old{number}" for number in range(25)])
        clock.advance(days=8)
        await inbox.first_times(connection, "one", ["new"])
        assert await inbox.purge(database, timedelta(days=7), batch=10) == 25
        assert await inbox.first_times(connection, "one", ["old1", "new"]) == {"old1"}
