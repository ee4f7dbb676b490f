"""What the watchdog looks at: late submissions and where their latest message was put."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.submission.retry import HAND_BACKS
from deepoj_domain.submission.routing import Lane
from deepoj_kit.postgres import Database
from deepoj_record.commands.redispatch import QueuedMessage
from deepoj_record.outbound.postgres.rows import utc

# A message that is no longer in the outbox was delivered long ago.
_LATE: Final = """
SELECT s.id, s.{since}, s.lane, s.attempt_id,
       (SELECT count(*) FROM record.attempts a WHERE a.submission_id = s.id AND a.reason IN ({hand_backs})),
       o.id IS NOT NULL AND o.delivered_at IS NULL, o.stream, o.stream_entry_id
FROM record.submissions s LEFT JOIN record.outbox o ON o.id = s.message_id
WHERE {state} AND (s.{since}, s.id) > (%s, %s) AND s.{since} < %s
ORDER BY s.{since}, s.id LIMIT %s
"""
_HAND_BACKS: Final = ", ".join(f"'{failure}'" for failure in sorted(HAND_BACKS))
WAITING: Final = _LATE.format(
    since="message_due", state="s.status IN ('PENDING', 'DISPATCHED')", hand_backs=_HAND_BACKS
)
EXPIRED: Final = _LATE.format(since="lease_until", state="s.status = 'RUNNING'", hand_backs=_HAND_BACKS)


class PostgresOverdue:
    def __init__(self, database: Database, page: int = 500) -> None:
        self._database = database
        self._page = page

    async def waiting(self, before: datetime, after: QueuedMessage | None) -> list[QueuedMessage]:
        return await self._read(WAITING, before, after)

    async def expired(self, before: datetime, after: QueuedMessage | None) -> list[QueuedMessage]:
        return await self._read(EXPIRED, before, after)

    async def _read(
        self, statement: str, before: datetime, after: QueuedMessage | None
    ) -> list[QueuedMessage]:
        moment = "-infinity" if after is None else after.since
        last = UUID(int=0) if after is None else after.submission_id
        async with self._database.connection() as connection:
            cursor = await connection.execute(statement.encode(), (moment, last, before, self._page))
            rows = await cursor.fetchall()
        return [
            QueuedMessage(SubmissionId(key), utc(since), Lane(lane), *rest)
            for key, since, lane, *rest in rows
        ]
