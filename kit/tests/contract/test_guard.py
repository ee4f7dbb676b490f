"""Whatever Redis loses of a stream is sent again, and nothing else is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import cast

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Outbox, Relay, StreamGuard, outbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.streams import MaxAge, MaxLength, Retention
from deepoj_kit.testing.conditions import eventually, running
from deepoj_kit.testing.metrics import counted
from deepoj_kit.testing.streams import entries

DAY = MaxAge(timedelta(days=1))


class Sender:
    """An outbox, its relay and what guards its stream, as one service has them."""

    def __init__(
        self, outbox: Outbox, database: Database, redis: Redis, stream: str, retention: Retention = DAY
    ) -> None:
        kept: Mapping[str, Retention] = {stream: retention}
        self._outbox = outbox
        self._database = database
        self._redis = redis
        self._stream = stream
        self.relay = Relay(outbox, database, redis, clock=system_clock, retention=kept)
        self.guard = StreamGuard(
            outbox, database, redis, clock=system_clock, retention=kept, on_lost=self.relay.wake.set,
            interval=0.02,
        )  # fmt: skip

    async def send(self, *numbers: int) -> None:
        async with self._database.connection() as connection:
            rows = [self._outbox.compose(self._stream, {"number": str(each)}) for each in numbers]
            await self._outbox.add(connection, rows)
        await self.relay.deliver_due()

    async def repaired(self) -> list[int]:
        """Return what is in the stream after everything that was lost was sent again."""
        await self.guard.check()
        await self.relay.deliver_due()
        return await self.numbers()

    async def numbers(self) -> list[int]:
        return [int(fields["number"]) for _, fields in await entries(self._redis, self._stream)]


@pytest.fixture
async def outbox(create_tables: Callable[[MetaData], Awaitable[None]]) -> Outbox:
    metadata = MetaData()
    table = outbox_table(metadata)
    await create_tables(metadata)
    return Outbox(table, clock=system_clock, new_id=Uuid7())


@pytest.fixture
def sender(outbox: Outbox, database: Database, redis: Redis, stream: str) -> Sender:
    return Sender(outbox, database, redis, stream)


async def restore(redis: Redis, stream: str, saved: bytes) -> None:
    await redis.restore(stream, 0, saved, replace=True)


async def saved(redis: Redis, stream: str) -> bytes:
    return cast("bytes", await redis.dump(stream))


@pytest.mark.parametrize("looked_before", [True, False])
async def test_a_lost_end_is_sent_again_in_order(
    sender: Sender, redis: Redis, stream: str, *, looked_before: bool
) -> None:
    await sender.send(1, 2)
    before = await saved(redis, stream)
    await sender.send(3, 4)
    if looked_before:
        assert await sender.guard.check() == 0
    await restore(redis, stream, before)
    assert await sender.repaired() == [1, 2, 3, 4]
    assert await sender.guard.check() == 0


@pytest.mark.parametrize("looked_before", [True, False])
async def test_an_end_lost_before_others_were_added_is_found_and_those_come_again_after_it(
    sender: Sender, redis: Redis, stream: str, *, looked_before: bool
) -> None:
    await sender.send(1)
    before = await saved(redis, stream)
    await sender.send(2)
    if looked_before:
        assert await sender.guard.check() == 0
    await restore(redis, stream, before)
    await sender.send(3)
    assert await sender.repaired() == [1, 3, 2, 3]
    assert await sender.guard.check() == 0


async def test_a_lost_stream_is_sent_again_as_far_as_it_is_kept(
    sender: Sender, redis: Redis, stream: str, database: Database
) -> None:
    await sender.send(1)
    async with database.connection() as connection:
        await connection.execute("UPDATE outbox SET delivered_at = delivered_at - interval '1 day'")
    await sender.send(2, 3)
    await redis.delete(stream)
    assert await sender.repaired() == [2, 3]


async def test_a_stream_of_many_pages_is_sent_again_whole(sender: Sender, redis: Redis, stream: str) -> None:
    wanted = list(range(2300))
    await sender.send(*wanted)
    while await sender.relay.deliver_due():
        pass
    assert await sender.guard.check() == 0
    await redis.delete(stream)
    assert await sender.guard.check() == len(wanted)
    while await sender.relay.deliver_due():
        pass
    assert await sender.numbers() == wanted


async def test_what_was_trimmed_for_its_age_is_not_lost(
    sender: Sender, redis: Redis, stream: str, database: Database
) -> None:
    await sender.send(1)
    async with database.connection() as connection:
        await connection.execute("UPDATE outbox SET delivered_at = delivered_at - interval '1 day'")
    await redis.xtrim(stream, maxlen=0, approximate=False)
    assert await sender.guard.check() == 0


async def test_a_queue_is_left_to_whoever_fills_it(
    outbox: Outbox, database: Database, redis: Redis, stream: str
) -> None:
    sender = Sender(outbox, database, redis, stream, MaxLength(100))
    await sender.send(1)
    await redis.delete(stream)
    assert await sender.guard.check() == 0


async def test_two_guards_send_a_lost_stream_once(
    sender: Sender, outbox: Outbox, database: Database, redis: Redis, stream: str
) -> None:
    other = Sender(outbox, database, redis, stream)
    await sender.send(1, 2)
    await redis.delete(stream)
    assert await sender.guard.check() + await other.guard.check() == 2
    assert await sender.repaired() == [1, 2]
    assert await other.repaired() == [1, 2]


async def test_a_running_guard_repairs_by_itself_and_counts_what_it_did(
    sender: Sender, redis: Redis, stream: str, metric_reader: InMemoryMetricReader
) -> None:
    await sender.send(1, 2)
    async with running(sender.relay, sender.guard):
        await eventually(lambda: counted(metric_reader, "outbox_lost", stream=stream) == 0)
        await redis.delete(stream)
        await eventually(lambda: is_whole(sender, [1, 2]))
        await eventually(lambda: counted(metric_reader, "outbox_lost", stream=stream) == 2)


async def is_whole(sender: Sender, wanted: list[int]) -> bool:
    return await sender.numbers() == wanted
