"""Deliver what the writers' own publishers did not: delayed rows, and all that a crash or an outage left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from redis.asyncio import Redis

from deepoj_kit.backoff import Backoff, wait_first
from deepoj_kit.clock import Clock
from deepoj_kit.failpoint import fail_point
from deepoj_kit.outbox.metrics import OutboxMetrics
from deepoj_kit.outbox.outbox import Outbox
from deepoj_kit.outbox.publisher import send
from deepoj_kit.outbox.statements import Delivered, OnDelivered, OutboxRow
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.streams.retention import Retention
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_HELD_ELSEWHERE = 0.05
"""Pause when the rows that are due are locked by another relay."""


@dataclass(frozen=True, slots=True)
class RelayOptions:
    """Times are in seconds."""

    batch: int = 256
    sweep: float = 2.0
    """How often it looks without being woken."""
    row_backoff: Backoff = field(default_factory=lambda: Backoff(first=0.5, cap=30.0))
    """Between attempts for one row that the server refuses."""
    outage_backoff: Backoff = field(default_factory=lambda: Backoff(first=0.1, cap=2.0))
    """Between attempts while a server is away."""


class Relay:
    """Any number may run side by side: a row is locked by one of them from its claim until it is marked.

    The lock is held while Redis is called, for at most the client's time-out. In return a relay that dies
    gives its rows back at once, and two living ones never send the same row.
    """

    def __init__(
        self,
        outbox: Outbox,
        database: Database,
        redis: Redis,
        *,
        clock: Clock,
        retention: Mapping[str, Retention] | None = None,
        on_delivered: OnDelivered | None = None,
        options: RelayOptions | None = None,
    ) -> None:
        self.wake = asyncio.Event()
        """Set it to make the relay look at once; give it to a Listener on the outbox's channel."""
        self._statements = outbox.statements
        self._database = database
        self._redis = redis
        self._clock = clock
        self._retention = retention or {}
        self._on_delivered = on_delivered
        self._options = options or RelayOptions()
        self._metrics = OutboxMetrics("relay")
        self._redis_away = False

    async def run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            self.wake.clear()
            try:
                tried = await self.deliver_due()
                failures = failures + 1 if self._redis_away else 0
                pause = 0.0 if tried == self._options.batch else await self._until_next()
            except Unavailable as error:
                failures, pause = failures + 1, 0.0
                _log.warning("the relay is interrupted: %s", error)
            if failures:
                await wait_first(stop, timeout=self._options.outage_backoff.jittered(failures))
            elif pause:
                await wait_first(stop, self.wake, timeout=pause)

    async def deliver_due(self) -> int:
        """Send one batch of due rows; return how many were tried."""
        # While Redis is away one row probes for it: the others need no attempt written to each of them.
        limit = 1 if self._redis_away else self._options.batch
        async with self._database.transaction() as connection:
            rows = await self._statements.claim(connection, self._clock(), limit)
            if rows:
                await self._deliver(connection, rows)
        if rows and not self._redis_away:
            fail_point("after_mark")
        self._redis_away = self._redis_away and bool(rows)
        return len(rows)

    async def _deliver(self, connection: Connection, rows: Sequence[OutboxRow]) -> None:
        try:
            delivered, rejected = await send(self._redis, rows, self._retention, self._clock())
        except Unavailable as error:
            self._redis_away = True
            _log.warning("the relay cannot reach Redis: %s", error)
            await self._defer(connection, [(row, str(error)) for row in rows], "unavailable")
            return
        self._redis_away = False
        if delivered:
            await self._mark(connection, delivered)
        if rejected:
            _log.error("Redis refused %d rows: %s", len(rejected), rejected[0][1])
            await self._defer(connection, [(row, str(error)) for row, error in rejected], "refused")

    async def _mark(self, connection: Connection, delivered: Sequence[Delivered]) -> None:
        now = self._clock()
        fail_point("before_mark")
        marked = await self._statements.mark(connection, delivered, now)
        if marked and self._on_delivered is not None:
            await self._on_delivered(connection, marked)
        self._metrics.delivered(delivered, marked, now)

    async def _defer(
        self, connection: Connection, failed: Sequence[tuple[OutboxRow, str]], reason: str
    ) -> None:
        now = self._clock()
        backoff = self._options.outage_backoff if reason == "unavailable" else self._options.row_backoff
        again = [
            (row.id, now + timedelta(seconds=backoff.delay(row.attempts + 1)), error[:500])
            for row, error in failed
        ]
        deferred = await self._statements.defer(connection, again)
        self._metrics.failed(deferred, reason)
        self._metrics.already_marked(len(failed) - deferred)

    async def _until_next(self) -> float:
        async with self._database.connection() as connection:
            pending, due = await self._statements.pending(connection)
        self._metrics.pending(pending)
        if due is None:
            return self._options.sweep
        ahead = (due - self._clock()).total_seconds()
        return min(self._options.sweep, ahead if ahead > 0 else _HELD_ELSEWHERE)
