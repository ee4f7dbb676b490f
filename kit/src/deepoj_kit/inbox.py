"""The inbox: a consumer's effect and the id of the message that caused it, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from psycopg import sql
from sqlalchemy import Column, DateTime, Index, MetaData, Table, Text

from deepoj_kit.clock import Clock
from deepoj_kit.postgres import Connection, Database

# A second transaction with the same id waits here for the first to end.
_INSERT = """
INSERT INTO {table} (consumer, message_id, received_at)
SELECT %s, message_id, %s FROM unnest(%s::text[]) AS message_id ORDER BY message_id
ON CONFLICT DO NOTHING
RETURNING message_id
"""
_PURGE = """
DELETE FROM {table} WHERE (consumer, message_id) IN (
    SELECT consumer, message_id FROM {table} WHERE received_at < %s LIMIT %s FOR UPDATE SKIP LOCKED
)
"""


def inbox_table(metadata: MetaData, name: str = "inbox") -> Table:
    """Define the table in the schema of `metadata`."""
    return Table(
        name,
        metadata,
        Column("consumer", Text, primary_key=True),
        Column("message_id", Text, primary_key=True),
        Column("received_at", DateTime(timezone=True), nullable=False),
        Index(f"{name}_received", "received_at"),
    )


class Inbox:
    def __init__(self, table: Table, *, clock: Clock) -> None:
        names = (table.name,) if table.schema is None else (table.schema, table.name)
        name = sql.Identifier(*names).as_string()
        self._insert = _INSERT.replace("{table}", name).encode()
        self._purge = _PURGE.replace("{table}", name).encode()
        self._clock = clock

    async def first_times(
        self, connection: Connection, consumer: str, message_ids: Sequence[str]
    ) -> set[str]:
        """Return those of the messages that are new to the consumer, and remember them on commit."""
        # In order, so that two batches with common messages wait for each other and do not deadlock.
        parameters = (consumer, self._clock(), list(message_ids))
        cursor = await connection.execute(self._insert, parameters)
        return {row[0] for row in await cursor.fetchall()}

    async def purge(self, database: Database, keep: timedelta, batch: int = 1000) -> int:
        """Forget messages older than `keep`, which has to outlast every redelivery."""
        before, total = self._clock() - keep, 0
        while True:
            async with database.connection() as connection:
                deleted = (await connection.execute(self._purge, (before, batch))).rowcount
            total += deleted
            if deleted < batch:
                return total
