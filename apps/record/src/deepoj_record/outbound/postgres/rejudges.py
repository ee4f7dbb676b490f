"""Rejudges in PostgreSQL, for the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, and_, func, select

from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Standing, Submission
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Connection, ConstraintViolated, Database
from deepoj_kit.telemetry import current_traceparent
from deepoj_record.commands.ports import Write
from deepoj_record.outbound.postgres.closing import PostgresClosing
from deepoj_record.outbound.postgres.inserting import NewRow, insert
from deepoj_record.outbound.postgres.ledger import LOAD
from deepoj_record.outbound.postgres.messages import Messages
from deepoj_record.outbound.postgres.publishing import Publish
from deepoj_record.outbound.postgres.rows import Row, stored, utc
from deepoj_record.outbound.postgres.selecting import conditions
from deepoj_record.outbound.postgres.tables import SUBMISSIONS
from deepoj_record.outbound.postgres.writing import write

_S = SUBMISSIONS.c
_OPEN: Final = """
INSERT INTO record.rejudges (id, status, selection, reason, started_by, started_at)
VALUES (%s, 'preview', %s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
_FIND: Final = (
    "SELECT status, started_by, started_at, selection = %s::jsonb FROM record.rejudges WHERE id = %s"
)
_LOCK: Final = "SELECT status, started_by, started_at FROM record.rejudges WHERE id = %s FOR UPDATE"
_SIZE: Final = "SELECT count(*) FROM record.submissions WHERE rejudge_id = %s"
_SIZES: Final = "SELECT id, source_bytes FROM record.submissions WHERE id = ANY(%s)"
_PAGE: Final = 500


class PostgresRejudges:
    def __init__(self, database: Database, messages: Messages, publish: Publish) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish

    async def open(self, batch: RejudgeBatch, selection: Selection, reason: str) -> RejudgeBatch | None:
        # Sets have no order of their own; the same selection has to give the same text.
        chosen = msgspec.json.encode(selection, order="deterministic").decode()
        async with self._database.transaction() as connection:
            await connection.execute(_OPEN, (batch.id, chosen, reason, batch.opened_by, batch.opened_at))
            row = await (await connection.execute(_FIND, (chosen, batch.id))).fetchone()
        return None if row is None or not row[3] else _batch(batch.id, row)

    async def selected(self, selection: Selection, limit: int) -> int:
        heads = select(_S.id).where(_rejudgeable(selection)).limit(limit).subquery()
        async with self._database.unit_of_work() as unit:
            return (await unit.connection.execute(select(func.count()).select_from(heads))).scalar_one()

    async def unopened(
        self, rejudge_id: RejudgeId, selection: Selection, after: SubmissionId | None
    ) -> list[Submission]:
        made = SUBMISSIONS.alias("made")
        has_candidate = select(made.c.id).where(made.c.rejudge_id == rejudge_id, made.c.rejudge_of == _S.id)
        where = [_rejudgeable(selection), ~has_candidate.exists()]
        if after is not None:
            where.append(_S.id > after)
        statement = select(_S.id).where(and_(*where)).order_by(_S.id).limit(_PAGE)
        async with self._database.unit_of_work() as unit:
            ids = (await unit.connection.execute(statement)).scalars().all()
            rows = await (await unit.driver.execute(LOAD.encode(), (list(ids),))).fetchall()
        return sorted((stored(Row(*row)).submission for row in rows), key=lambda head: head.id)

    async def add(self, candidates: Sequence[Changed[Submission]]) -> set[SubmissionId]:
        if not candidates:
            return set()
        messages = [message for each in candidates for message in self._messages.of(each.events)]
        async with self._database.transaction() as connection:
            rows = await _new_rows(connection, [each.after for each in candidates])
            written = await insert(connection, rows, messages)
        self._publish([message.row for message in messages if message.submission_id in written], [])
        return written

    async def size(self, rejudge_id: RejudgeId) -> int:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_SIZE, (rejudge_id,))).fetchone()
        return 0 if row is None else row[0]

    @asynccontextmanager
    async def closing(self, rejudge_id: RejudgeId) -> AsyncIterator[PostgresClosing | None]:
        sent: list[OutboxRow] = []
        async with self._database.transaction() as connection:
            row = await (await connection.execute(_LOCK, (rejudge_id,))).fetchone()
            if row is None:
                yield None
            else:
                yield PostgresClosing(connection, self._messages, _batch(rejudge_id, row), sent)
        self._publish(sent, [])

    async def replace(self, archived: Write, head: Submission) -> bool:
        messages = self._messages.of(archived.events)
        async with self._database.transaction() as connection:
            if not await write(connection, [archived], []):
                return False
            if not await insert(connection, await _new_rows(connection, [head]), messages):
                raise ConstraintViolated("submissions_pkey")
        self._publish([message.row for message in messages], [])
        return True


def _rejudgeable(selection: Selection) -> ColumnElement[bool]:
    return and_(
        *conditions(selection), _S.standing == Standing.HEAD.value, _S.status.in_(("FINISHED", "DEAD"))
    )


def _batch(rejudge_id: RejudgeId, row: Sequence[Any]) -> RejudgeBatch:
    status, opened_by, opened_at, *_ = row
    return RejudgeBatch(
        id=rejudge_id,
        opened_by=AccountId(opened_by),
        opened_at=utc(opened_at),
        status=BatchStatus(status),
    )


async def _new_rows(connection: Connection, submissions: Sequence[Submission]) -> list[NewRow]:
    """The source belongs to the chain; its size is shown with every member of it."""
    origins = [submission.origin_id for submission in submissions]
    rows = await (await connection.execute(_SIZES, (origins,))).fetchall()
    sizes = {SubmissionId(key): int(size) for key, size in rows}
    traceparent = current_traceparent()
    return [
        NewRow(submission=each, source_bytes=sizes[each.origin_id], traceparent=traceparent)
        for each in submissions
    ]
