"""Reproductions in PostgreSQL: some at a time, so no index beside the key."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId, WorkerId
from deepoj_kit.postgres import Database
from deepoj_kit.postgres.statements import utc
from deepoj_record.commands.reproductions import ReproductionAnswer, ReproductionId
from deepoj_record.outbound.postgres.tables import fetch, made_of, read
from deepoj_record.queries.orders import ReproductionOrder

_ADD: Final = """
    WITH known AS (SELECT id FROM record.submissions WHERE id = %(submission)s), added AS (
        INSERT INTO record.reproductions (id, submission_id, worker, asked_at)
        SELECT %(key)s, id, %(worker)s, %(now)s FROM known ON CONFLICT (id) DO NOTHING
    ) SELECT id FROM known
"""
_OF: Final = """
    SELECT asked.id AS reproduction_id, question_id, question_revision, language, code AS source
    FROM record.reproductions asked
    JOIN record.submissions submission ON submission.id = asked.submission_id
    JOIN record.sources source ON source.origin_id = submission.origin_id
    WHERE asked.worker = %s AND answered_at IS NULL AND asked_at > %s
    ORDER BY asked_at LIMIT 4
"""
_ANSWER: Final = """
    UPDATE record.reproductions
    SET answered_at = %(now)s, result = %(result)s, manifest = %(manifest)s, problem = %(problem)s
    WHERE id = %(key)s AND worker = %(worker)s AND answered_at IS NULL RETURNING id
"""
_FIND: Final = (
    "SELECT asked_at, answered_at, result, manifest, problem FROM record.reproductions WHERE id = %s"
)
_FORGET: Final = "DELETE FROM record.reproductions WHERE asked_at < %s RETURNING id"


class PostgresReproductions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, key: ReproductionId, submission_id: SubmissionId, worker: WorkerId, now: datetime
    ) -> bool:
        asked = {"key": key, "submission": submission_id, "worker": worker, "now": now}
        async with self._database.connection() as connection:
            return bool(await fetch(connection, _ADD, asked))

    async def of(self, worker: WorkerId, since: datetime) -> Sequence[ReproductionOrder]:
        found = await read(self._database, _OF, (worker, since))
        return [made_of(row, ReproductionOrder) for row in found]

    async def answer(
        self, key: ReproductionId, worker: WorkerId, answer: ReproductionAnswer, now: datetime
    ) -> bool:
        told = {
            "key": key,
            "worker": worker,
            "now": now,
            "result": answer.result,
            "manifest": answer.manifest,
            "problem": answer.problem.replace("\0", ""),
        }
        async with self._database.connection() as connection:
            return bool(await fetch(connection, _ANSWER, told))

    async def find(self, key: ReproductionId) -> tuple[datetime, ReproductionAnswer | None] | None:
        found = await read(self._database, _FIND, (key,))
        if not found:
            return None
        (row,) = found
        if row["answered_at"] is None:
            return utc(row["asked_at"]), None
        answer = ReproductionAnswer(result=row["result"], manifest=row["manifest"], problem=row["problem"])
        return utc(row["asked_at"]), answer

    async def forget(self, before: datetime) -> None:
        async with self._database.connection() as connection:
            await fetch(connection, _FORGET, (before,))
