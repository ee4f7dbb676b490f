"""The transaction that applies or discards one rejudge."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.rejudge_batch import RejudgeBatch
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Connection
from deepoj_record.commands.ports import ContendedError, Write
from deepoj_record.commands.rejudge_ports import Pair
from deepoj_record.outbound.postgres.ledger import LOAD
from deepoj_record.outbound.postgres.messages import Messages
from deepoj_record.outbound.postgres.rows import Row, stored
from deepoj_record.outbound.postgres.writing import write

_UNDECIDED: Final = """
SELECT count(*) FROM record.submissions
WHERE rejudge_id = %s AND standing = 'candidate' AND status IN ('PENDING', 'DISPATCHED', 'RUNNING')
"""
_CANDIDATES: Final = """
SELECT id, rejudge_of FROM record.submissions
WHERE rejudge_id = %s AND id > %s AND standing = 'candidate' ORDER BY id LIMIT %s
"""
_CLOSE: Final = """
UPDATE record.rejudges SET status = %s, closed_at = %s, version = version + 1
WHERE id = %s AND status = 'preview'
"""
_PAGE: Final = 500


class PostgresClosing:
    def __init__(
        self, connection: Connection, messages: Messages, batch: RejudgeBatch, sent: list[OutboxRow]
    ) -> None:
        self.batch = batch
        self._connection = connection
        self._messages = messages
        self._sent = sent

    async def undecided(self) -> int:
        row = await (await self._connection.execute(_UNDECIDED, (self.batch.id,))).fetchone()
        return 0 if row is None else row[0]

    async def pairs(self, after: SubmissionId | None) -> list[Pair]:
        parameters = (self.batch.id, after or UUID(int=0), _PAGE)
        ids = await (await self._connection.execute(_CANDIDATES, parameters)).fetchall()
        wanted = [key for pair in ids for key in pair]
        rows = await (await self._connection.execute(LOAD.encode(), (wanted,))).fetchall()
        found = {each.submission.id: each for each in (stored(Row(*row)) for row in rows)}
        return [Pair(found[candidate], found[predecessor]) for candidate, predecessor in ids]

    async def write(self, writes: Sequence[Write]) -> None:
        if not writes:
            return
        messages = [m for each in writes for m in self._messages.of(each.events, each.before.traceparent)]
        written = await write(self._connection, writes, messages)
        if len(written) < len(writes):
            raise ContendedError(f"{len(writes) - len(written)} submissions changed while being settled")
        self._sent += [message.row for message in messages]

    async def close(self, batch: RejudgeBatch, at: datetime) -> None:
        closed = await self._connection.execute(_CLOSE, (batch.status, at, batch.id))
        if closed.rowcount != 1:
            raise ContendedError(f"rejudge {batch.id} is no longer open")
