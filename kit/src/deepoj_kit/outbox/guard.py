"""Find out what Redis has lost of a stream, and have it sent again.

Redis acknowledges an append before it is safe: a power cut may take the last second, a failover what was not
copied yet, a lost file or a flush everything. The outbox still has it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from uuid import UUID

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.backoff import wait_first
from deepoj_kit.clock import Clock
from deepoj_kit.outbox.metrics import count_lost
from deepoj_kit.outbox.outbox import Outbox
from deepoj_kit.postgres import Database
from deepoj_kit.streams.commands import first_missing
from deepoj_kit.streams.retention import MaxAge, Retention
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_PAGE = 1000
# Rows are seen when their mark is committed, a little after the moment they are marked with.
_OVERLAP = timedelta(seconds=10)
_FIRST_ID = UUID(int=0)


class StreamGuard:
    """Looks whether the entries of delivered rows are there; any number may run side by side.

    What is lost is lost from some entry on, so the newest known entry tells whether anything is. From the
    first lost one on everything is sent again, in order: whoever reads on from where they were gets all of
    it, and whoever has it already knows it by its message id.

    Guarded are the streams that keep their entries for a time. Those that keep a number of entries are
    queues: who fills them knows what still has to be done.
    """

    def __init__(
        self,
        outbox: Outbox,
        database: Database,
        redis: Redis,
        *,
        clock: Clock,
        retention: Mapping[str, Retention],
        on_lost: Callable[[], object] = lambda: None,
        interval: float = 5.0,
    ) -> None:
        """`on_lost` wakes whoever sends."""
        self._statements = outbox.statements
        self._database = database
        self._redis = redis
        self._clock = clock
        # The server trims by its own clock.
        self._guarded = {
            stream: kept.age - kept.age / 24 for stream, kept in retention.items() if isinstance(kept, MaxAge)
        }
        self._on_lost = on_lost
        self._interval = interval
        self._seen: dict[str, datetime] = {}
        for stream in self._guarded:
            count_lost(stream, 0)

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                await self.check()
            except (Unavailable, RedisError) as error:
                _log.warning("nobody can tell now whether the streams are whole: %s", error)
            await wait_first(stop, timeout=self._interval)

    async def check(self) -> int:
        """Look at every stream once; return how many rows are to be sent again."""
        return sum([await self._check(stream, kept) for stream, kept in self._guarded.items()])

    async def _check(self, stream: str, kept: timedelta) -> int:
        now = self._clock()
        oldest = now - kept
        since = max(oldest, self._seen.get(stream, oldest) - _OVERLAP)
        lost_at = await self._first_lost(stream, since)
        if lost_at is None:
            return 0
        # How far back it goes only the whole stream can tell.
        lost_at = await self._first_lost(stream, oldest) or lost_at
        reopened = await self._reopen(stream, lost_at, now)
        count_lost(stream, reopened)
        _log.error("%s has lost entries: %d messages since %s are sent again", stream, reopened, lost_at)
        self._on_lost()
        return reopened

    async def _first_lost(self, stream: str, since: datetime) -> datetime | None:
        """Return when the first row whose entry is gone was delivered."""
        after = (since, _FIRST_ID)
        while True:
            async with self._database.connection() as connection:
                rows = await self._statements.delivered(connection, stream, after, _PAGE)
            if not rows:
                return None
            missing = await first_missing(self._redis, stream, [row.entry_id for row in rows])
            if missing is not None:
                return rows[missing].delivered_at
            after = (rows[-1].delivered_at, rows[-1].id)
            self._seen[stream] = rows[-1].delivered_at

    async def _reopen(self, stream: str, since: datetime, until: datetime) -> int:
        """Rows that another guard had sent again meanwhile are marked later than `until`."""
        total = 0
        while True:
            async with self._database.connection() as connection:
                reopened = await self._statements.reopen(connection, stream, since, until, _PAGE)
            total += reopened
            if reopened < _PAGE:
                return total
