"""Publish rows right after their commit, in the process that committed them: the short way."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Generic, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.backoff import wait_first
from deepoj_kit.clock import Clock
from deepoj_kit.failpoint import fail_point
from deepoj_kit.outbox.metrics import OutboxMetrics
from deepoj_kit.outbox.outbox import Outbox
from deepoj_kit.outbox.statements import Delivered, OnDelivered, OutboxRow
from deepoj_kit.postgres import Database
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.streams.retention import Retention, retention_of
from deepoj_kit.unavailable import Unavailable

T = TypeVar("T")
_log = logging.getLogger(__name__)
_BATCH = 512
# Nobody waits for the mark: by then whoever took the message has written what they had to, and many rows
# share a transaction. But it has to come long before the relay takes the row for lost.
_MARK_AFTER = timedelta(milliseconds=200)


class _Backlog(Generic[T]):
    """Many put, one takes all there is."""

    def __init__(self) -> None:
        self._items: deque[T] = deque()
        self._changed = asyncio.Event()
        self._closed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._items)

    def put(self, items: Iterable[T]) -> None:
        self._items.extend(items)
        self._changed.set()

    def close(self) -> None:
        self._closed.set()
        self._changed.set()

    async def take(self, linger: timedelta = timedelta(0)) -> list[T]:
        """Return at least one item, or none when it is closed and empty. `linger` lets more come together."""
        while not self._items and not self._closed.is_set():
            self._changed.clear()
            await self._changed.wait()
        if linger:
            await wait_first(self._closed, timeout=linger.total_seconds())
        return [self._items.popleft() for _ in range(min(len(self._items), _BATCH))]


class OutboxPublisher:
    """Sends, then marks, each in batches of whatever came together meanwhile.

    It claims no lock: the outbox's head start keeps the relay away from fresh rows. Whatever fails here, or
    dies with the process, is left to the relay.
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
        capacity: int = 10_000,
    ) -> None:
        self._statements = outbox.statements
        self._mark_after = min(_MARK_AFTER, outbox.head_start / 4)
        self._database = database
        self._redis = redis
        self._clock = clock
        self._retention = retention or {}
        self._on_delivered = on_delivered
        self._capacity = capacity
        self._unsent = _Backlog[OutboxRow]()
        self._unmarked = _Backlog[Delivered]()
        self._metrics = OutboxMetrics("publisher")

    @property
    def backlog(self) -> int:
        """Rows handed over and not sent yet."""
        return len(self._unsent)

    def publish(self, rows: Sequence[OutboxRow]) -> None:
        """Hand over committed rows; never waits. Rows for later are the relay's and are passed over."""
        now = self._clock()
        due = [row for row in rows if row.publish_at <= now]
        if self.backlog + len(due) > self._capacity:
            self._metrics.failed(len(due), "queue_full")
            return
        self._unsent.put(due)

    async def run(self, stop: asyncio.Event) -> None:
        """Work until the stop, then finish what was handed over."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._send())
            tasks.create_task(self._mark())
            await stop.wait()
            self._unsent.close()

    async def _send(self) -> None:
        while rows := await self._unsent.take():
            try:
                delivered, rejected = await send(self._redis, rows, self._retention, self._clock())
            except Unavailable as error:
                _log.warning("%d rows are left to the relay: %s", len(rows), error)
                self._metrics.failed(len(rows), "unavailable")
                continue
            self._unmarked.put(delivered)
            if rejected:
                _log.error("Redis refused %d rows: %s", len(rejected), rejected[0][1])
                self._metrics.failed(len(rejected), "refused")
        self._unmarked.close()

    async def _mark(self) -> None:
        while delivered := await self._unmarked.take(self._mark_after):
            now = self._clock()
            fail_point("before_mark")
            try:
                async with self._database.transaction() as connection:
                    marked = await self._statements.mark(connection, delivered, now)
                    if marked and self._on_delivered is not None:
                        await self._on_delivered(connection, marked)
            except Unavailable as error:
                _log.warning(
                    "%d rows are sent but not marked, the relay will repeat them: %s", len(delivered), error
                )
                self._metrics.failed(len(delivered), "not_marked")
            else:
                fail_point("after_mark")
                self._metrics.delivered(delivered, marked, now)


Rejected = tuple[OutboxRow, RedisError]


async def send(
    redis: Redis, rows: Sequence[OutboxRow], retention: Mapping[str, Retention], now: datetime
) -> tuple[list[Delivered], list[Rejected]]:
    """Append all rows in one round trip; raise Unavailable when it is unknown which of them arrived."""
    entries = [NewEntry(row.stream, row.fields(), *retention_of(row.stream, retention)) for row in rows]
    delivered: list[Delivered] = []
    rejected: list[Rejected] = []
    fail_point("before_xadd")
    results = await append(redis, entries, now)
    fail_point("after_xadd")
    for row, result in zip(rows, results, strict=True):
        if isinstance(result, RedisError):
            rejected.append((row, result))
        else:
            delivered.append(Delivered(row, result))
    return delivered, rejected
