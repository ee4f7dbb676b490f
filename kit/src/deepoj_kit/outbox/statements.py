"""The rows of the outbox and their SQL, hand-written because every message passes here several times."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec
from psycopg import sql
from sqlalchemy import Table

from deepoj_kit.ids import first_id_at
from deepoj_kit.postgres import Connection
from deepoj_kit.streams.codec import MESSAGE_ID


@dataclass(frozen=True, slots=True)
class OutboxRow:
    id: UUID
    stream: str
    key: str | None
    payload: Mapping[str, str]
    headers: Mapping[str, str]
    created_at: datetime
    next_attempt_at: datetime
    """When the relay may take it."""
    publish_at: datetime
    """When it may be in the stream at the earliest."""
    attempts: int = 0

    def fields(self) -> dict[str, str]:
        return {**self.payload, **self.headers, MESSAGE_ID: str(self.id)}


@dataclass(frozen=True, slots=True)
class Delivered:
    row: OutboxRow
    entry_id: str


@dataclass(frozen=True, slots=True)
class Sent:
    """Where a delivered row was put."""

    id: UUID
    entry_id: str
    delivered_at: datetime


OnDelivered = Callable[[Connection, Sequence[Delivered]], Awaitable[None]]
"""Runs in the transaction that marks the rows, with those that this transaction did mark."""


# On the hot path rows come one at a time, and psycopg is slow to dump seven arrays.
_INSERT_ONE = """
INSERT INTO {table} (id, stream, key, payload, headers, created_at, next_attempt_at)
VALUES (%s, %s, %s, %s::text::jsonb, %s::text::jsonb, %s, %s)
ON CONFLICT (stream, key) WHERE key IS NOT NULL DO NOTHING
RETURNING id
"""
_INSERT_MANY = """
INSERT INTO {table} (id, stream, key, payload, headers, created_at, next_attempt_at)
SELECT id, stream, key, payload::jsonb, headers::jsonb, created_at, next_attempt_at
FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::text[], %s::timestamptz[], %s::timestamptz[])
    AS new (id, stream, key, payload, headers, created_at, next_attempt_at)
ON CONFLICT (stream, key) WHERE key IS NOT NULL DO NOTHING
RETURNING id
"""
# Pending rows are found by their state and never by "id greater than the last one seen": a transaction that
# took its ids early may commit late.
_CLAIM = """
SELECT id, stream, key, payload::text, headers::text, created_at, next_attempt_at, attempts
FROM {table}
WHERE delivered_at IS NULL AND next_attempt_at <= %s
ORDER BY next_attempt_at, id
LIMIT %s
FOR UPDATE SKIP LOCKED
"""
_MARK = """
UPDATE {table} AS row
SET delivered_at = %s, stream_entry_id = sent.entry, attempts = row.attempts + 1, last_error = NULL
FROM unnest(%s::uuid[], %s::text[]) AS sent (id, entry)
WHERE row.id = sent.id AND row.delivered_at IS NULL
RETURNING row.id
"""
_DEFER = """
UPDATE {table} AS row
SET next_attempt_at = failed.again_at, last_error = failed.error, attempts = row.attempts + 1
FROM unnest(%s::uuid[], %s::timestamptz[], %s::text[]) AS failed (id, again_at, error)
WHERE row.id = failed.id AND row.delivered_at IS NULL
"""
_DELIVERED = """
SELECT id, stream_entry_id, delivered_at FROM {table}
WHERE stream = %s AND (delivered_at, id) > (%s, %s) AND delivered_at IS NOT NULL
ORDER BY delivered_at, id LIMIT %s
"""
_REOPEN = """
UPDATE {table} SET delivered_at = NULL, stream_entry_id = NULL, next_attempt_at = %s
WHERE id IN (
    SELECT id FROM {table} WHERE stream = %s AND delivered_at BETWEEN %s AND %s
    ORDER BY delivered_at, id LIMIT %s FOR UPDATE SKIP LOCKED
)
"""
_PENDING = "SELECT count(*), min(next_attempt_at) FROM {table} WHERE delivered_at IS NULL"
# Ids are in order of creation, so the primary key leads to the oldest rows and no further index is needed.
_PURGE = """
DELETE FROM {table} WHERE id IN (
    SELECT id FROM {table} WHERE id < %s AND delivered_at < %s ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED
)
"""
_DECODER = msgspec.json.Decoder(dict[str, str])


class Statements:
    def __init__(self, table: Table) -> None:
        names = (table.name,) if table.schema is None else (table.schema, table.name)
        name = sql.Identifier(*names)

        def compose(statement: str) -> bytes:
            return statement.replace("{table}", name.as_string()).encode()

        self._insert_one = compose(_INSERT_ONE)
        self._insert_many = compose(_INSERT_MANY)
        self._claim = compose(_CLAIM)
        self._mark = compose(_MARK)
        self._defer = compose(_DEFER)
        self._delivered = compose(_DELIVERED)
        self._reopen = compose(_REOPEN)
        self._pending = compose(_PENDING)
        self._purge = compose(_PURGE)

    async def insert(self, connection: Connection, rows: Sequence[OutboxRow]) -> set[UUID]:
        values = [_values(row) for row in rows]
        if len(values) == 1:
            cursor = await connection.execute(self._insert_one, values[0])
        else:
            columns = [list(column) for column in zip(*values, strict=True)]
            cursor = await connection.execute(self._insert_many, columns)
        return {row[0] for row in await cursor.fetchall()}

    async def claim(self, connection: Connection, now: datetime, limit: int) -> list[OutboxRow]:
        """Lock due rows that no other relay holds, until the end of the transaction."""
        cursor = await connection.execute(self._claim, (now, limit))
        return [
            OutboxRow(
                id=identity,
                stream=stream,
                key=key,
                payload=_DECODER.decode(payload),
                headers=_DECODER.decode(headers),
                created_at=created_at,
                next_attempt_at=due,
                publish_at=due,
                attempts=attempts,
            )
            for identity, stream, key, payload, headers, created_at, due, attempts in await cursor.fetchall()
        ]

    async def mark(
        self, connection: Connection, delivered: Sequence[Delivered], now: datetime
    ) -> list[Delivered]:
        """Mark rows as delivered; return those that were not marked before."""
        columns = ([each.row.id for each in delivered], [each.entry_id for each in delivered])
        cursor = await connection.execute(self._mark, (now, *columns))
        marked = {row[0] for row in await cursor.fetchall()}
        return [each for each in delivered if each.row.id in marked]

    async def defer(self, connection: Connection, failed: Sequence[tuple[UUID, datetime, str]]) -> int:
        """Put rows off; return how many, without those that are delivered by now."""
        ids, moments, errors = (list(column) for column in zip(*failed, strict=True))
        return (await connection.execute(self._defer, (ids, moments, errors))).rowcount

    async def delivered(
        self, connection: Connection, stream: str, after: tuple[datetime, UUID], limit: int
    ) -> list[Sent]:
        """Return rows in the order in which they were marked."""
        cursor = await connection.execute(self._delivered, (stream, *after, limit))
        return [Sent(*row) for row in await cursor.fetchall()]

    async def reopen(
        self, connection: Connection, stream: str, since: datetime, until: datetime, limit: int
    ) -> int:
        """Let rows that were marked in this time be sent again; return how many."""
        return (await connection.execute(self._reopen, (until, stream, since, until, limit))).rowcount

    async def pending(self, connection: Connection) -> tuple[int, datetime | None]:
        """Return how many rows wait, and when the first of them is due."""
        row = await (await connection.execute(self._pending)).fetchone()
        return (0, None) if row is None else (row[0], row[1])

    async def purge(self, connection: Connection, delivered_before: datetime, limit: int) -> int:
        bounds = (first_id_at(delivered_before), delivered_before, limit)
        return (await connection.execute(self._purge, bounds)).rowcount


def _values(row: OutboxRow) -> tuple[UUID | str | datetime | None, ...]:
    payload, headers = (msgspec.json.encode(part).decode() for part in (row.payload, row.headers))
    return row.id, row.stream, row.key, payload, headers, row.created_at, row.next_attempt_at
