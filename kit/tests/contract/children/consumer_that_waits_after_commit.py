"""A consumer process that commits its effect, says so, and never gets to acknowledge."""

from __future__ import annotations

import asyncio
import sys

import msgspec
from sqlalchemy import MetaData

from deepoj_kit.clock import system_clock
from deepoj_kit.inbox import Inbox, inbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.streams import Consumer, Delivery, Done, FieldsCodec, Outcome, connect, each


class Thing(msgspec.Struct, frozen=True):
    number: int


async def main(postgres_url: str, redis_url: str, stream: str, group: str) -> None:
    inbox = Inbox(inbox_table(MetaData()), clock=system_clock)
    async with Database(postgres_url) as database:

        async def handle(delivery: Delivery[Thing]) -> Outcome:
            async with database.transaction() as connection:
                if await inbox.first_times(connection, group, [delivery.message_id]):
                    await connection.execute("INSERT INTO effects VALUES (%s)", (delivery.message.number,))
            sys.stdout.write("committed\n")
            sys.stdout.flush()
            await asyncio.Event().wait()
            return Done()

        consumer = Consumer(
            connect(redis_url),
            group=group,
            name="doomed",
            streams=[stream],
            codec=FieldsCodec(Thing),
            handler=each(handle),
        )
        await consumer.run(asyncio.Event())


asyncio.run(main(*sys.argv[1:]))
