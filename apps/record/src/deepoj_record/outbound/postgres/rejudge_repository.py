"""Rejudges in PostgreSQL, for the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import msgspec
from psycopg.rows import namedtuple_row
from sqlalchemy import ColumnElement, and_, func, select

from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Standing, Submission
from deepoj_kit.failpoint import fail_point
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Connection, ConstraintViolated, Database, compiled
from deepoj_record.commands.ports import Write
from deepoj_record.commands.rejudge_ports import Rejudge
from deepoj_record.outbound.postgres.named_row import utc
from deepoj_record.outbound.postgres.outbox import Messages, Publish
from deepoj_record.outbound.postgres.rejudge_transaction import SIZE, PostgresLockedRejudge, new_rows
from deepoj_record.outbound.postgres.submission_filter import selected
from deepoj_record.outbound.postgres.submission_row import load
from deepoj_record.outbound.postgres.submission_statements import insert, update
from deepoj_record.outbound.postgres.tables import REJUDGES, SUBMISSIONS

_S = SUBMISSIONS.c
_ADD: Final = """
INSERT INTO record.rejudges (id, status, selection, selected, reason, started_by, started_at, touched_at)
VALUES (%(id)s, %(status)s, %(selection)s, %(selected)s, %(reason)s, %(by)s, %(at)s, %(at)s)
ON CONFLICT DO NOTHING
"""
_FIND: Final = f"""
SELECT {", ".join(column.name for column in REJUDGES.c if column.name != "selection")},
    selection::text AS selection
FROM record.rejudges WHERE id = %s
"""  # noqa: S608 — the table's columns
_UNDER_WAY: Final = """
SELECT id FROM record.rejudges
WHERE status IN ('opening', 'applying', 'discarding') AND touched_at <= %s ORDER BY touched_at
"""
_SELECTION = msgspec.json.Decoder(Selection)


class PostgresRejudges:
    def __init__(self, database: Database, messages: Messages, publish: Publish, page: int = 250) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish
        self._page = page

    async def add(self, rejudge: Rejudge, reason: str) -> Rejudge | None:
        batch = rejudge.batch
        # Sets have no order of their own; the same selection has to give the same text.
        chosen = msgspec.json.encode(rejudge.selection, order="deterministic").decode()
        values = {
            "id": batch.id, "status": batch.status, "selection": chosen, "selected": rejudge.selected,
            "reason": reason, "by": batch.opened_by, "at": batch.opened_at,
        }  # fmt: skip
        async with self._database.connection() as connection:
            await connection.execute(_ADD, values)
        found = await self.find(batch.id)
        return None if found is None or found.selection != rejudge.selection else found

    async def find(self, rejudge_id: RejudgeId) -> Rejudge | None:
        async with self._database.connection() as connection:
            return await _find(connection, _FIND, rejudge_id)

    async def size(self, rejudge_id: RejudgeId) -> int:
        async with self._database.connection() as connection:
            row = await (await connection.execute(SIZE, (rejudge_id,))).fetchone()
        return 0 if row is None else row[0]

    async def selected(self, selection: Selection, limit: int) -> int:
        heads = select(_S.id).where(_rejudgeable(selection)).limit(limit).subquery()
        counting = compiled(select(func.count()).select_from(heads))
        async with self._database.connection() as connection:
            row = await (await connection.execute(*counting)).fetchone()
        return 0 if row is None else row[0]

    async def heads(self, rejudge: Rejudge) -> list[Submission]:
        where = [_rejudgeable(rejudge.selection), _S.submitted_at <= rejudge.batch.opened_at]
        if rejudge.reached is not None:
            where.append(_S.id > rejudge.reached)
        statement = select(_S.id).where(*where).order_by(_S.id).limit(self._page)
        async with self._database.transaction() as connection:
            rows = await (await connection.execute(*compiled(statement))).fetchall()
            found = await load(connection, [SubmissionId(row[0]) for row in rows])
        return [found[key].submission for key in sorted(found)]

    @asynccontextmanager
    async def locked(self, rejudge_id: RejudgeId) -> AsyncIterator[PostgresLockedRejudge | None]:
        sent: list[OutboxRow] = []
        async with self._database.transaction() as connection:
            rejudge = await _find(connection, f"{_FIND} FOR UPDATE", rejudge_id)
            if rejudge is None:
                yield None
            else:
                yield PostgresLockedRejudge(connection, self._messages, rejudge, sent, self._page)
        fail_point("after_rejudge_page")
        self._publish(sent)

    async def under_way(self, untouched_since: datetime) -> list[RejudgeId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_UNDER_WAY, (untouched_since,))).fetchall()
        return [RejudgeId(row[0]) for row in rows]

    async def replace(self, archived: Write, head: Submission) -> bool:
        messages = self._messages.of(archived.events)
        async with self._database.transaction() as connection:
            if not await update(connection, [archived], []):
                return False
            if not await insert(connection, await new_rows(connection, [head]), messages):
                raise ConstraintViolated("submissions_pkey")
        self._publish([message.row for message in messages])
        return True


def _rejudgeable(selection: Selection) -> ColumnElement[bool]:
    return and_(*selected(selection), _S.standing == Standing.HEAD.value, _S.status.in_(("FINISHED", "DEAD")))


async def _find(connection: Connection, statement: str, rejudge_id: RejudgeId) -> Rejudge | None:
    cursor = connection.cursor(row_factory=namedtuple_row)
    await cursor.execute(statement.encode(), (rejudge_id,))
    row = await cursor.fetchone()
    return None if row is None else _rejudge(row)


def _rejudge(row: Any) -> Rejudge:  # noqa: ANN401 — psycopg's named tuple
    batch = RejudgeBatch(
        id=RejudgeId(row.id),
        opened_by=AccountId(row.started_by),
        opened_at=utc(row.started_at),
        status=BatchStatus(row.status),
        decided_by=None if row.decided_by is None else AccountId(row.decided_by),
    )
    return Rejudge(
        batch=batch,
        selection=_SELECTION.decode(row.selection),
        selected=row.selected,
        reached=None if row.reached is None else SubmissionId(row.reached),
        applied=row.applied,
        dropped=row.dropped,
    )
