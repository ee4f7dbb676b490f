"""What waits, what runs and how fast, as the database knows it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.tables import made_of, read
from deepoj_record.queries.workload import Rates, RunningJob, WaitingGroup

_WAITING: Final = """
SELECT lane, band, language, count(*) AS submissions,
       greatest(interval '0', %s - min(message_due)) AS oldest_wait
FROM record.submissions WHERE status IN ('PENDING', 'DISPATCHED')
GROUP BY lane, band, language ORDER BY oldest_wait DESC, lane, band, language
"""
_RUNNING: Final = """
SELECT s.id AS submission_id, s.language, s.lease_owner AS worker, a.started_at AS since
FROM record.submissions s
JOIN record.attempts a ON a.submission_id = s.id AND a.attempt_id = s.attempt_id
WHERE s.status = 'RUNNING' ORDER BY a.started_at, s.id LIMIT 500
"""
# The latest by the time they were sent, which has an index. A rejudge has waited for something else.
_RATES: Final = """
SELECT count(*) AS judged,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY a.started_at - s.submitted_at) AS wait_p50,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY a.started_at - s.submitted_at) AS wait_p95
FROM (
    SELECT id, submitted_at, finished_at, status, rejudge_of FROM record.submissions
    ORDER BY submitted_at DESC, id DESC LIMIT 2000
) AS s
LEFT JOIN record.attempts a ON a.submission_id = s.id AND a.attempt_id = 1 AND s.rejudge_of IS NULL
WHERE s.status = 'FINISHED' AND s.finished_at > %s
"""
_OF_LATE: Final = timedelta(minutes=10)


class PostgresWorkload:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, now: datetime) -> Sequence[WaitingGroup]:
        return [made_of(row, WaitingGroup) for row in await read(self._database, _WAITING, (now,))]

    async def running(self) -> Sequence[RunningJob]:
        return [made_of(row, RunningJob) for row in await read(self._database, _RUNNING)]

    async def rates(self, now: datetime) -> Rates:
        (row,) = await read(self._database, _RATES, (now - _OF_LATE,))
        per_minute = row["judged"] / (_OF_LATE / timedelta(minutes=1))
        return made_of({**row, "per_minute": per_minute}, Rates)
