"""The queues as the database knows them, exact whatever Redis has lost: what waits, runs and is late."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from deepoj_domain.submission.retry import HAND_BACKS
from deepoj_domain.submission.route import Band, Lane, Route
from deepoj_kit.postgres import Database
from deepoj_record.commands.redispatch import QueuedMessage
from deepoj_record.outbound.postgres.tables import Row, count, fetch, made_of, read
from deepoj_record.queries.ports import QueueDepth, QueueState
from deepoj_record.queries.views import SubmissionView
from deepoj_record.queries.workload import Rates, RunningJob, WaitingGroup, WorkerAttempt, WorkerAttempts

# Nobody needs to know which of ten thousand places it is.
_MOST: Final = 10_000
AHEAD: Final = """
SELECT count(*) FROM (
    SELECT FROM record.submissions
    WHERE lane = %s AND band = %s AND id < %s AND status IN ('PENDING', 'DISPATCHED')
    LIMIT %s
) AS ahead
"""
# The latest by the time they were sent: there is an index for that, and no other is worth its writes.
PACE: Final = """
SELECT count(*) FROM (
    SELECT lane, finished_at, status FROM record.submissions ORDER BY submitted_at DESC, id DESC LIMIT %s
) AS latest WHERE lane = %s AND finished_at > %s AND status = 'FINISHED'
"""
_LATEST: Final = 2000
_OF_LATE: Final = timedelta(minutes=10)
DEPTHS: Final = """
SELECT lane, band, count(*) AS waiting, min(message_due) AS oldest FROM record.submissions
WHERE status IN ('PENDING', 'DISPATCHED') GROUP BY lane, band
"""
STATE: Final = """
SELECT
    (SELECT count(*) FROM record.submissions WHERE status = 'RUNNING') AS running,
    (SELECT count(*) FROM record.submissions WHERE status = 'RUNNING' AND lease_until <= %s) AS stalled,
    (SELECT count(*) FROM record.submissions WHERE status = 'DEAD' AND standing = 'head') AS dead,
    outbox_pending, outbox_oldest_wait
FROM (
    SELECT count(*) AS outbox_pending, greatest(interval '0', %s - min(created_at)) AS outbox_oldest_wait
    FROM record.outbox WHERE delivered_at IS NULL
) AS outbox
"""

_GROUPS: Final = """
SELECT lane, band, language, needs, count(*) AS submissions,
       greatest(interval '0', %s - min(message_due)) AS oldest_wait
FROM record.submissions WHERE status IN ('PENDING', 'DISPATCHED')
GROUP BY lane, band, language, needs ORDER BY oldest_wait DESC, lane, band, language, needs
"""
_RUNNING: Final = """
SELECT s.id AS submission_id, s.language, s.lease_owner AS worker, a.started_at AS since
FROM record.submissions s
JOIN record.attempts a ON a.submission_id = s.id AND a.attempt_id = s.attempt_id
WHERE s.status = 'RUNNING' ORDER BY a.started_at, s.id LIMIT 500
"""
# By the key of the table, whose ids grow with time: an index on times would cost every claim and every end.
_ATTEMPTS: Final = """
WITH latest AS (
    SELECT submission_id, attempt_id FROM record.attempts
    ORDER BY submission_id DESC, attempt_id DESC LIMIT %s
), running AS (
    SELECT id AS submission_id, attempt_id FROM record.submissions WHERE status = 'RUNNING' LIMIT %s
)
SELECT a.submission_id, a.attempt_id, a.worker, s.language, a.started_at, a.ended_at, a.outcome, a.reason
FROM (SELECT * FROM latest UNION SELECT * FROM running) AS chosen
JOIN record.attempts a USING (submission_id, attempt_id)
JOIN record.submissions s ON s.id = a.submission_id
WHERE a.ended_at IS NULL OR a.ended_at > %s
ORDER BY a.started_at, a.submission_id
"""
_MOST_ATTEMPTS: Final = 1000
# Of the same latest ones. A rejudge has waited for something else.
_RATES: Final = """
SELECT count(*) AS judged,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY a.started_at - s.submitted_at) AS wait_p50,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY a.started_at - s.submitted_at) AS wait_p95
FROM (
    SELECT id, submitted_at, finished_at, status, rejudge_of FROM record.submissions
    ORDER BY submitted_at DESC, id DESC LIMIT %s
) AS s
LEFT JOIN record.attempts a ON a.submission_id = s.id AND a.attempt_id = 1 AND s.rejudge_of IS NULL
WHERE s.status = 'FINISHED' AND s.finished_at > %s
"""
# A message that is no longer in the outbox was delivered long ago.
_LATE: Final = """
SELECT s.id AS submission_id, s.{since} AS since, s.lane, s.attempt_id,
       (SELECT count(*) FROM record.attempts a WHERE a.submission_id = s.id AND a.reason IN ({hand_backs}))
           AS handed_back,
       o.id IS NOT NULL AND o.delivered_at IS NULL AS in_outbox, o.stream, o.stream_entry_id AS entry_id
FROM record.submissions s LEFT JOIN record.outbox o ON o.id = s.message_id
WHERE {state} AND (s.{since}, s.id) > (%s, %s) AND s.{since} < %s
ORDER BY s.{since}, s.id LIMIT %s
"""
_HAND_BACKS: Final = ", ".join(f"'{failure}'" for failure in sorted(HAND_BACKS))
WAITING: Final = _LATE.format(
    since="message_due", state="s.status IN ('PENDING', 'DISPATCHED')", hand_backs=_HAND_BACKS
)
EXPIRED: Final = _LATE.format(since="lease_until", state="s.status = 'RUNNING'", hand_backs=_HAND_BACKS)


class PostgresQueues:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def ahead_of(self, view: SubmissionView) -> int:
        parameters = (view.route.lane, view.route.band, view.id, _MOST)
        async with self._database.connection() as connection:
            return await count(connection, AHEAD, parameters)

    async def pace(self, lane: Lane, now: datetime) -> timedelta | None:
        async with self._database.connection() as connection:
            judged = await count(connection, PACE, (_LATEST, lane, now - _OF_LATE))
        return _OF_LATE / judged if judged else None

    async def state(self, now: datetime) -> QueueState:
        async with self._database.connection() as connection:
            depths = await fetch(connection, DEPTHS)
            (state,) = await fetch(connection, STATE, (now, now))
        return made_of({**state, "queues": [_depth(row, now) for row in depths]}, QueueState)


class PostgresWorkload:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def waiting(self, now: datetime) -> Sequence[WaitingGroup]:
        return [made_of(row, WaitingGroup) for row in await read(self._database, _GROUPS, (now,))]

    async def running(self) -> Sequence[RunningJob]:
        return [made_of(row, RunningJob) for row in await read(self._database, _RUNNING)]

    async def rates(self, now: datetime) -> Rates:
        (row,) = await read(self._database, _RATES, (_LATEST, now - _OF_LATE))
        per_minute = row["judged"] / (_OF_LATE / timedelta(minutes=1))
        return made_of({**row, "per_minute": per_minute}, Rates)

    async def since(self, moment: datetime) -> WorkerAttempts:
        rows = await read(self._database, _ATTEMPTS, (_MOST_ATTEMPTS, _MOST_ATTEMPTS, moment))
        attempts = [made_of(row, WorkerAttempt) for row in rows]
        return WorkerAttempts(attempts=attempts, cut=len(attempts) >= _MOST_ATTEMPTS)


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
        rows = await read(self._database, statement, (moment, last, before, self._page))
        return [made_of(row, QueuedMessage) for row in rows]


def _depth(row: Row, now: datetime) -> QueueDepth:
    route = Route(Lane(row["lane"]), Band(row["band"]))
    return QueueDepth(route, row["waiting"], max(timedelta(0), now - row["oldest"]))
