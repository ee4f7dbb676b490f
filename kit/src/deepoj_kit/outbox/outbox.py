"""Write messages in the transaction that makes them true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import Table

from deepoj_kit.clock import Clock
from deepoj_kit.outbox.statements import OutboxRow, Statements
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.telemetry import TRACEPARENT, current_traceparent

_AT_ONCE = timedelta(0)


class Outbox:
    """`head_start` is how long the relay leaves a new row to the publisher of the process that wrote it.

    Give none where no publisher runs: the relay then takes rows as soon as it is notified.
    """

    def __init__(
        self, table: Table, *, clock: Clock, new_id: Callable[[], UUID], head_start: timedelta = _AT_ONCE
    ) -> None:
        self.channel = f"{table.schema or 'public'}_{table.name}"
        """The channel that wakes the relay."""
        self.statements = Statements(table)
        self._clock = clock
        self._new_id = new_id
        self.head_start = head_start

    def compose(
        self,
        stream: str,
        fields: Mapping[str, str],
        *,
        key: str | None = None,
        delay: timedelta = _AT_ONCE,
        traceparent: str = "",
    ) -> OutboxRow:
        """Make a row that carries the given trace or the current one; a delayed one is the relay's alone."""
        now = self._clock()
        traceparent = traceparent or current_traceparent()
        return OutboxRow(
            id=self._new_id(),
            stream=stream,
            key=key,
            payload=fields,
            headers={TRACEPARENT: traceparent} if traceparent else {},
            created_at=now,
            next_attempt_at=now + (delay or self.head_start),
            publish_at=now + delay,
        )

    async def add(self, connection: Connection, rows: Sequence[OutboxRow]) -> list[OutboxRow]:
        """Insert with one statement in the caller's transaction; return the rows whose key was new."""
        if not rows:
            return []
        added = await self.statements.insert(connection, rows)
        return [row for row in rows if row.id in added]

    async def purge(self, database: Database, keep: timedelta, batch: int = 1000) -> int:
        """Delete what was delivered longer than `keep` ago, a batch a transaction; return how many rows."""
        before, total = self._clock() - keep, 0
        while True:
            async with database.connection() as connection:
                deleted = await self.statements.purge(connection, before, batch)
            total += deleted
            if deleted < batch:
                return total
