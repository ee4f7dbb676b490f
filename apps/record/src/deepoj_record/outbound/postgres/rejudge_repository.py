"""Rejudges in PostgreSQL, for the commands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import func, select

from deepoj_domain.kernel.ids import GameId, RejudgeId, SubmissionId
from deepoj_domain.kernel.outcome import Changed
from deepoj_domain.submission.rejudge_batch import BatchStatus, RejudgeBatch
from deepoj_domain.submission.selection import Selection
from deepoj_domain.submission.submission import Submission
from deepoj_kit.failpoint import fail_point
from deepoj_kit.outbox import OutboxRow
from deepoj_kit.postgres import Connection, ConstraintViolated, Database, compiled
from deepoj_kit.telemetry import current_traceparent
from deepoj_record.commands.ports import ContendedError, Write
from deepoj_record.commands.rejudge_ports import Allowance, Pair, Rejudge, Spent
from deepoj_record.outbound.postgres.outbox import Messages, Publish
from deepoj_record.outbound.postgres.submission_reader import rejudgeable
from deepoj_record.outbound.postgres.submission_repository import load
from deepoj_record.outbound.postgres.submission_statements import NewRow, insert, update
from deepoj_record.outbound.postgres.tables import SUBMISSIONS, count, fetch, made_of, read

_S = SUBMISSIONS.c
_ADD: Final = """
INSERT INTO record.rejudges (id, status, selection, selected, reason, started_by, started_at, touched_at)
VALUES (%(id)s, %(status)s, %(selection)s, %(selected)s, %(reason)s, %(by)s, %(at)s, %(at)s)
ON CONFLICT DO NOTHING
"""
_ALONE: Final = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_SPENT: Final = """
SELECT coalesce(sum(selected), 0) AS count FROM record.rejudges
WHERE started_by = %s AND started_at > %s AND id <> %s
"""
_FIND: Final = """
SELECT id, status, started_by AS opened_by, started_at AS opened_at, decided_by, selection, selected, reached,
       applied, dropped
FROM record.rejudges WHERE id = %s
"""
_UNDER_WAY: Final = """
SELECT id FROM record.rejudges
WHERE status IN ('opening', 'applying', 'discarding') AND touched_at <= %s ORDER BY touched_at
"""
_GAME: Final = "SELECT game_id FROM record.submissions WHERE id = %s"
_SIZE: Final = "SELECT count(*) FROM record.submissions WHERE rejudge_id = %s"
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


class PostgresRejudges:
    def __init__(self, database: Database, messages: Messages, publish: Publish, page: int = 250) -> None:
        self._database = database
        self._messages = messages
        self._publish = publish
        self._page = page

    async def add(self, rejudge: Rejudge, reason: str, allowance: Allowance | None) -> Rejudge | Spent | None:
        batch = rejudge.batch
        # Sets have no order of their own; the same selection has to give the same text.
        chosen = msgspec.json.encode(rejudge.selection, order="deterministic").decode()
        values = {
            "id": batch.id, "status": batch.status, "selection": chosen, "selected": rejudge.selected,
            "reason": reason, "by": batch.opened_by, "at": batch.opened_at,
        }  # fmt: skip
        async with self._database.transaction() as connection:
            if allowance is not None:
                await connection.execute(_ALONE, (f"rejudges of {batch.opened_by}",))
                mine = (batch.opened_by, allowance.since, batch.id)
                spent = await count(connection, _SPENT, mine)
                if spent + rejudge.selected > allowance.most:
                    return Spent(spent)
            await connection.execute(_ADD, values)
        found = await self.find(batch.id)
        return None if found is None or found.selection != rejudge.selection else found

    async def find(self, rejudge_id: RejudgeId) -> Rejudge | None:
        async with self._database.connection() as connection:
            return await _find(connection, _FIND, rejudge_id)

    async def size(self, rejudge_id: RejudgeId) -> int:
        async with self._database.connection() as connection:
            return await count(connection, _SIZE, (rejudge_id,))

    async def game_of(self, submission_id: SubmissionId) -> GameId | None:
        rows = await read(self._database, _GAME, (submission_id,))
        return rows[0]["game_id"] if rows else None

    async def selected(self, selection: Selection, limit: int) -> int:
        heads = select(_S.id).where(*rejudgeable(selection)).limit(limit).subquery()
        async with self._database.connection() as connection:
            return await count(connection, *compiled(select(func.count().label("count")).select_from(heads)))

    async def heads(self, rejudge: Rejudge) -> list[Submission]:
        where = [*rejudgeable(rejudge.selection), _S.submitted_at <= rejudge.batch.opened_at]
        if rejudge.reached is not None:
            where.append(_S.id > rejudge.reached)
        statement = select(_S.id).where(*where).order_by(_S.id).limit(self._page)
        async with self._database.transaction() as connection:
            rows = await fetch(connection, *compiled(statement))
            found = await load(connection, [SubmissionId(row["id"]) for row in rows])
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
        rows = await read(self._database, _UNDER_WAY, (untouched_since,))
        return [RejudgeId(row["id"]) for row in rows]

    async def replace(self, archived: Write, head: Submission) -> bool:
        messages = self._messages.of(archived.events)
        async with self._database.transaction() as connection:
            if not await update(connection, [archived], []):
                return False
            if not await insert(connection, await _new_rows(connection, [head]), messages):
                raise ConstraintViolated("submissions_pkey")
        self._publish([message.row for message in messages])
        return True


class PostgresLockedRejudge:
    """One transaction, which holds the lock on its rejudge."""

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
        return await count(self._connection, _SIZE, (self.rejudge.batch.id,))

    async def undecided(self) -> int:
        return await count(self._connection, _UNDECIDED, (self.rejudge.batch.id,))

    async def add(self, candidates: Sequence[Changed[Submission]]) -> set[SubmissionId]:
        if not candidates:
            return set()
        messages = [message for each in candidates for message in self._messages.of(each.events)]
        rows = await _new_rows(self._connection, [each.after for each in candidates])
        written = await insert(self._connection, rows, messages)
        self._sent += [message.row for message in messages if message.submission_id in written]
        return written

    async def pairs(self) -> list[Pair]:
        rows = await fetch(self._connection, _CANDIDATES, (self.rejudge.batch.id, self._page))
        wanted = [row[name] for row in rows for name in ("id", "rejudge_of")]
        await self._connection.execute(_LOCK, (wanted,))
        found = await load(self._connection, wanted)
        return [Pair(found[row["id"]], found[row["rejudge_of"]]) for row in rows]

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


async def _new_rows(connection: Connection, submissions: Sequence[Submission]) -> list[NewRow]:
    """The source belongs to the chain; its size is shown with every member of it."""
    origins = [submission.origin_id for submission in submissions]
    sizes = {row["id"]: row["source_bytes"] for row in await fetch(connection, _SIZES, (origins,))}
    traceparent = current_traceparent()
    return [
        NewRow(submission=each, source_bytes=sizes[each.origin_id], traceparent=traceparent)
        for each in submissions
    ]


async def _find(connection: Connection, statement: str, rejudge_id: RejudgeId) -> Rejudge | None:
    rows = await fetch(connection, statement, (rejudge_id,))
    return made_of({**rows[0], "batch": made_of(rows[0], RejudgeBatch)}, Rejudge) if rows else None
