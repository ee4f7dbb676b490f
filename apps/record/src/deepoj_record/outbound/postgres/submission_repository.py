"""Submissions in PostgreSQL, for the commands on the path of every submission."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_domain.kernel.ids import AccountId, SubmissionId
from deepoj_domain.submission.idempotency import IdempotencyKey
from deepoj_kit.batching import Batched
from deepoj_kit.failpoint import fail_point
from deepoj_kit.postgres import ConstraintViolated, Database
from deepoj_kit.telemetry import current_traceparent
from deepoj_record.commands.ports import IdTaken, KeyTaken, NewSubmission, Payload, Stored, Write
from deepoj_record.outbound.postgres.outbox import Message, Messages, Publish
from deepoj_record.outbound.postgres.recent_states import RecentStates
from deepoj_record.outbound.postgres.submission_row import load
from deepoj_record.outbound.postgres.submission_statements import NewRow, insert, update

_BY_KEY: Final = (
    "SELECT id, request_hash FROM record.submissions WHERE account_id = %s AND idempotency_key = %s"
)
PAYLOADS: Final = """
SELECT s.id, source.code, s.traceparent
FROM record.submissions s JOIN record.sources source ON source.origin_id = s.origin_id
WHERE s.id = ANY(%s)
"""


class PostgresSubmissions:
    """Each call is one statement, and so one transaction; submissions that arrive together share one."""

    def __init__(
        self, database: Database, messages: Messages, publish: Publish, recent: RecentStates
    ) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish
        self._recent = recent
        self._insert = Batched(self._insert_all, lanes=2, one_by_one=(ConstraintViolated,))

    def recall(self, ids: Iterable[SubmissionId]) -> dict[SubmissionId, Stored]:
        return self._recent.recall(ids)

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
        for each in writes:
            if each.after.id in written:
                stored = Stored(each.after, each.before.version + 1, each.before.traceparent)
                self._recent.keep(stored)
        return written

    async def add(self, new: NewSubmission) -> KeyTaken | IdTaken | None:
        if await self._insert((_new_row(new), self._messages.of(new.events))):
            return None
        return await self.holder(new.submission.order.account_id, new.key) or IdTaken()

    async def holder(self, owner: AccountId, key: IdempotencyKey) -> KeyTaken | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_BY_KEY, (owner, key))).fetchone()
        return None if row is None else KeyTaken(SubmissionId(row[0]), ContentHash(row[1].hex()))

    async def payloads(self, ids: Sequence[SubmissionId]) -> Mapping[SubmissionId, Payload]:
        found = self._recent.payloads(ids)
        if missing := [key for key in ids if key not in found]:
            async with self._database.connection() as connection:
                rows = await (await connection.execute(PAYLOADS, (missing,))).fetchall()
            found |= {SubmissionId(key): Payload(code, traceparent or "") for key, code, traceparent in rows}
        return found

    async def _insert_all(self, new: Sequence[tuple[NewRow, list[Message]]]) -> list[bool]:
        messages = [message for _, of_one in new for message in of_one]
        fail_point("before_insert")
        async with self._database.connection() as connection:
            written = await insert(connection, [row for row, _ in new], messages)
        fail_point("after_insert")
        self._publish([message.row for message in messages if message.submission_id in written])
        for row, _ in new:
            if row.submission.id in written and row.code is not None:
                stored = Stored(row.submission, 0, row.traceparent)
                self._recent.keep(stored, Payload(row.code, row.traceparent))
        return [row.submission.id in written for row, _ in new]


def _new_row(new: NewSubmission) -> NewRow:
    return NewRow(
        submission=new.submission,
        source_bytes=len(new.source.text.encode()),
        traceparent=current_traceparent(),
        key=new.key,
        fingerprint=new.fingerprint,
        code=new.source.text,
    )
