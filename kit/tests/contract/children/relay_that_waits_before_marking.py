"""A relay process that sends its rows, says so, and never gets to commit the mark."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

from sqlalchemy import MetaData

from deepoj_kit.clock import system_clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Delivered, Outbox, Relay, outbox_table
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.streams import connect


async def wait_for_ever(_: Connection, __: Sequence[Delivered]) -> None:
    sys.stdout.write("sent\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


async def main(postgres_url: str, redis_url: str) -> None:
    outbox = Outbox(outbox_table(MetaData()), clock=system_clock, new_id=Uuid7())
    async with Database(postgres_url) as database:
        relay = Relay(outbox, database, connect(redis_url), clock=system_clock, on_delivered=wait_for_ever)
        await relay.run(asyncio.Event())


asyncio.run(main(*sys.argv[1:]))
