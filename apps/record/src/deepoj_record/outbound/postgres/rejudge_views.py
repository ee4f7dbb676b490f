"""Rejudges and dead letters as the queries see them."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from deepoj_domain.kernel.ids import AccountId, RejudgeId, SubmissionId
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.submission.rejudge_batch import BatchStatus
from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.rows import utc
from deepoj_record.queries.paging import Page, PageRequest, Position, paged
from deepoj_record.queries.ports import DeadLetter, EffectView, Progress, RejudgeView

_PROGRESS: Final = """
SELECT count(new.id), count(new.verdict), count(*) FILTER (WHERE new.status IN ('DEAD', 'CANCELLED')),
       count(*) FILTER (WHERE new.verdict IS NOT NULL
                        AND (new.verdict, new.score_micros) IS DISTINCT FROM (old.verdict, old.score_micros))
FROM record.rejudges r
LEFT JOIN record.submissions new ON new.rejudge_id = r.id
LEFT JOIN record.submissions old ON old.id = new.rejudge_of
WHERE r.id = %s GROUP BY r.id
"""
_EFFECTS: Final = """
SELECT old.id, new.id, new.submitted_at, old.verdict, old.score_micros, new.verdict, new.score_micros
FROM record.submissions new JOIN record.submissions old ON old.id = new.rejudge_of
WHERE new.rejudge_id = %s AND new.id > %s ORDER BY new.id LIMIT %s
"""
_REJUDGES: Final = """
SELECT r.id, r.status, r.started_by, r.started_at, r.reason,
       (SELECT count(*) FROM record.submissions s WHERE s.rejudge_id = r.id)
FROM record.rejudges r WHERE (r.started_at, r.id) < (%s, %s) ORDER BY r.started_at DESC, r.id DESC LIMIT %s
"""
_DEAD_LETTERS: Final = """
SELECT s.id, s.death_cause, s.last_error, s.attempt_id, s.finished_at,
       (SELECT id FROM record.submissions again
        WHERE again.rejudge_of = s.id AND again.rejudge_id IS NULL ORDER BY id DESC LIMIT 1)
FROM record.submissions s
WHERE s.status = 'DEAD' AND (s.finished_at, s.id) < (%s, %s)
ORDER BY s.finished_at DESC, s.id DESC LIMIT %s
"""
_LAST: Final = UUID(int=2**128 - 1)


class PostgresRejudgeViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, rejudge_id: RejudgeId) -> Progress | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_PROGRESS, (rejudge_id,))).fetchone()
        return None if row is None else Progress(*row)

    async def effects(self, rejudge_id: RejudgeId, page: PageRequest) -> Page[EffectView]:
        after = page.after.id if page.after else UUID(int=0)
        async with self._database.connection() as connection:
            cursor = await connection.execute(_EFFECTS, (rejudge_id, after, page.size + 1))
            rows = await cursor.fetchall()
        found = [
            EffectView(SubmissionId(old), SubmissionId(new), utc(at), _decision(*before), _decision(*judged))
            for old, new, at, *before, judged in ((*row[:5], row[5:]) for row in rows)
        ]
        return paged(found, page, lambda last: Position(last.submitted_at, last.new_id))

    async def list(self, page: PageRequest) -> Page[RejudgeView]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_REJUDGES, (*_before(page), page.size + 1))).fetchall()
        found = [
            RejudgeView(
                id=RejudgeId(key),
                status=BatchStatus(status),
                started_by=AccountId(by),
                started_at=utc(at),
                reason=reason,
                submissions=count,
            )
            for key, status, by, at, reason, count in rows
        ]
        return paged(found, page, lambda last: Position(last.started_at, last.id))

    async def dead_letters(self, page: PageRequest) -> Page[DeadLetter]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_DEAD_LETTERS, (*_before(page), page.size + 1))
            rows = await cursor.fetchall()
        found = [
            DeadLetter(
                submission_id=SubmissionId(key),
                cause=cause,
                last_error=error,
                attempts=attempts,
                died_at=utc(at),
                replayed_as=None if again is None else SubmissionId(again),
            )
            for key, cause, error, attempts, at, again in rows
        ]
        return paged(found, page, lambda last: Position(last.died_at, last.submission_id))


def _before(page: PageRequest) -> tuple[datetime | str, UUID]:
    return ("infinity", _LAST) if page.after is None else (page.after.moment, page.after.id)


def _decision(verdict: str | None, micros: int | None) -> tuple[Verdict, Score] | None:
    return None if verdict is None or micros is None else (Verdict(verdict), Score(micros))
