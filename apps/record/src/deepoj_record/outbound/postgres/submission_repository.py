"""Submissions in PostgreSQL, for the commands on the path of every submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.submission.idempotency import IdempotencyKey
from deepoj_kit.batching import Batched
from deepoj_kit.failpoint import fail_point
from deepoj_kit.postgres import ConstraintViolated, Database
from deepoj_record.commands.ports import IdTaken, KeyTaken, NewSubmission, Payload, Stored, Write
from deepoj_record.outbound.postgres.outbox import Message, Messages, Publish
from deepoj_record.outbound.postgres.submission_row import load
from deepoj_record.outbound.postgres.submission_statements import NewRow, insert, update
from deepoj_record.outbound.postgres.tables import made_of, read

_BY_KEY: Final = (
    "SELECT id, request_hash FROM record.submissions WHERE account_id = %s AND idempotency_key = %s"
)
PAYLOADS: Final = """
SELECT s.id, source.code AS source, coalesce(s.traceparent, '') AS traceparent
FROM record.submissions s JOIN record.sources source ON source.origin_id = s.origin_id
WHERE s.id = ANY(%s)
"""


class PostgresSubmissions:
    """Each call is one statement, and so one transaction; submissions that arrive together share one."""

    def __init__(self, database: Database, messages: Messages, publish: Publish) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish
        self._insert = Batched(self._insert_all, lanes=2, one_by_one=(ConstraintViolated,))

    async def load(self, ids: Sequence[SubmissionId]) -> dict[SubmissionId, Stored]:
        async with self._database.connection() as connection:
            return await load(connection, ids)

    async def write(self, writes: Sequence[Write]) -> set[SubmissionId]:
        messages = [
            message for each in writes for message in self._messages.of(each.events, each.before.traceparent)
        ]
        async with self._database.connection() as connection:
            written = await update(connection, writes, messages)
        self._publish([message.row for message in messages if message.submission_id in written])
        return written

    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None:
        if await self._insert((NewRow.of(new), self._messages.of(new.events))):
            return None
        return await self.holder(new.submission.order.account_id, new.key) or IdTaken()

    async def holder(self, owner: AccountId, key: IdempotencyKey) -> KeyTaken | None:
        rows = await read(self._database, _BY_KEY, (owner, key))
        found = [KeyTaken(row["id"], ContentHash(row["request_hash"].hex())) for row in rows]
        return found[0] if found else None

    async def payloads(self, ids: Sequence[SubmissionId]) -> Mapping[SubmissionId, Payload]:
        rows = await read(self._database, PAYLOADS, (list(ids),)) if ids else []
        return {SubmissionId(row["id"]): made_of(row, Payload) for row in rows}

    async def _insert_all(self, new: Sequence[tuple[NewRow, list[Message]]]) -> list[bool]:
        messages = [message for _, of_one in new for message in of_one]
        fail_point("before_insert")
        async with self._database.connection() as connection:
            written = await insert(connection, [row for row, _ in new], messages)
        fail_point("after_insert")
        self._publish([message.row for message in messages if message.submission_id in written])
        return [row.submission.id in written for row, _ in new]
