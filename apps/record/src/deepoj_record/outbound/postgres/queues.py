"""The queues as the database knows them: exact, whatever Redis has lost."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from deepoj_domain.submission.routing import Band, Lane, Route
from deepoj_kit.postgres import Database
from deepoj_record.outbound.postgres.rows import utc
from deepoj_record.queries.ports import QueueDepth, QueueState
from deepoj_record.queries.views import SubmissionView

# Nobody needs to know which of ten thousand places it is.
_MOST: Final = 10_000
AHEAD: Final = """
SELECT count(*) FROM (
    SELECT FROM record.submissions
    WHERE lane = %s AND band = %s AND id < %s AND status IN ('PENDING', 'DISPATCHED')
    LIMIT %s
) AS ahead
"""
DEPTHS: Final = """
SELECT lane, band, count(*), min(message_due) FROM record.submissions
WHERE status IN ('PENDING', 'DISPATCHED') GROUP BY lane, band
"""
STATE: Final = """
SELECT
    (SELECT count(*) FROM record.submissions WHERE status = 'RUNNING'),
    (SELECT count(*) FROM record.submissions WHERE status = 'RUNNING' AND lease_until <= %s),
    (SELECT count(*) FROM record.submissions WHERE status = 'DEAD' AND standing = 'head'),
    (SELECT count(*) FROM record.outbox WHERE delivered_at IS NULL)
"""


class PostgresQueues:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def ahead_of(self, view: SubmissionView) -> int:
        parameters = (view.route.lane, view.route.band, view.id, _MOST)
        async with self._database.connection() as connection:
            row = await (await connection.execute(AHEAD, parameters)).fetchone()
        return 0 if row is None else row[0]

    async def state(self, now: datetime) -> QueueState:
        async with self._database.connection() as connection:
            depths = await (await connection.execute(DEPTHS)).fetchall()
            rows = await (await connection.execute(STATE, (now,))).fetchall()
        running, stalled, dead, outbox = rows[0]
        return QueueState(
            queues=[
                QueueDepth(Route(Lane(lane), Band(band)), waiting, max(timedelta(0), now - utc(oldest)))
                for lane, band, waiting, oldest in depths
            ],
            running=running,
            stalled=stalled,
            dead=dead,
            outbox_pending=outbox,
        )
