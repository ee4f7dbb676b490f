"""One transaction on one rejudge, which it has locked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_domain.submission.submission import Submission
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Connection
from deepoj_kit.telemetry import current_traceparent
from deepoj_record.commands.ports import ContendedError, Write
from deepoj_record.commands.rejudge_ports import Pair, Rejudge
from deepoj_record.outbound.postgres.outbox import Messages
from deepoj_record.outbound.postgres.submission_row import load
from deepoj_record.outbound.postgres.submission_statements import NewRow, insert, update

SIZE: Final = "SELECT count(*) FROM record.submissions WHERE rejudge_id = %s"
_SIZES: Final = "SELECT id, source_bytes FROM record.submissions WHERE id = ANY(%s)"
_UNDECIDED: Final = """
SELECT count(*) FROM record.submissions
WHERE rejudge_id = %s AND standing = 'candidate' AND status IN ('PENDING', 'DISPATCHED', 'RUNNING')
"""
_CANDIDATES: Final = """
SELECT id, rejudge_of FROM record.submissions
WHERE rejudge_id = %s AND standing = 'candidate' ORDER BY id LIMIT %s
"""
# In the order in which every writer locks its rows. What is decided on them still holds when it is written.
_LOCK: Final = "SELECT id FROM record.submissions WHERE id = ANY(%s) ORDER BY id FOR UPDATE"
_SAVE: Final = """
UPDATE record.rejudges SET status = %(status)s, reached = %(reached)s, applied = %(applied)s,
    dropped = %(dropped)s, decided_by = %(decided_by)s, closed_at = %(closed_at)s, touched_at = %(at)s,
    version = version + 1
WHERE id = %(id)s AND status = %(from_status)s
"""
_CLOSED: Final = frozenset({BatchStatus.APPLIED, BatchStatus.DISCARDED})


class PostgresLockedRejudge:
    def __init__(
        self,
        connection: Connection,
        messages: Messages,
        rejudge: Rejudge,
        sent: list[OutboxRow],
        page: int,
    ) -> None:
        self.rejudge = rejudge
        self._connection = connection
        self._messages = messages
        self._sent = sent
        self._page = page

    async def size(self) -> int:
        return await self._count(SIZE)

    async def undecided(self) -> int:
        return await self._count(_UNDECIDED)

    async def add(self, candidates: Sequence[Changed[Submission]]) -> set[SubmissionId]:
        if not candidates:
            return set()
        messages = [message for each in candidates for message in self._messages.of(each.events)]
        rows = await new_rows(self._connection, [each.after for each in candidates])
        written = await insert(self._connection, rows, messages)
        self._sent += [message.row for message in messages if message.submission_id in written]
        return written

    async def pairs(self) -> list[Pair]:
        cursor = await self._connection.execute(_CANDIDATES, (self.rejudge.batch.id, self._page))
        ids = await cursor.fetchall()
        wanted = [key for pair in ids for key in pair]
        await self._connection.execute(_LOCK, (wanted,))
        found = await load(self._connection, wanted)
        return [Pair(found[candidate], found[predecessor]) for candidate, predecessor in ids]

    async def write(self, writes: Sequence[Write]) -> None:
        if not writes:
            return
        messages = [m for each in writes for m in self._messages.of(each.events, each.before.traceparent)]
        written = await update(self._connection, writes, messages)
        if len(written) < len(writes):
            raise ContendedError(f"{len(writes) - len(written)} submissions changed while being settled")
        self._sent += [message.row for message in messages]

    async def save(self, after: Rejudge, at: datetime) -> None:
        batch = after.batch
        values = {
            "id": batch.id, "from_status": self.rejudge.batch.status, "status": batch.status,
            "reached": after.reached, "applied": after.applied, "dropped": after.dropped,
            "decided_by": batch.decided_by, "closed_at": at if batch.status in _CLOSED else None, "at": at,
        }  # fmt: skip
        saved = await self._connection.execute(_SAVE, values)
        if saved.rowcount != 1:
            raise ContendedError(f"rejudge {batch.id} is no longer {self.rejudge.batch.status}")

    async def _count(self, statement: str) -> int:
        cursor = await self._connection.execute(statement.encode(), (self.rejudge.batch.id,))
        row = await cursor.fetchone()
        return 0 if row is None else row[0]


async def new_rows(connection: Connection, submissions: Sequence[Submission]) -> list[NewRow]:
    """The source belongs to the chain; its size is shown with every member of it."""
    origins = [submission.origin_id for submission in submissions]
    rows = await (await connection.execute(_SIZES, (origins,))).fetchall()
    sizes = {SubmissionId(key): int(size) for key, size in rows}
    traceparent = current_traceparent()
    return [
        NewRow(submission=each, source_bytes=sizes[each.origin_id], traceparent=traceparent)
        for each in submissions
    ]
