"""Put outbox rows into their streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.failpoint import fail_point
from deepoj_kit.outbox.row import Delivered, OutboxRow
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.streams.retention import Retention

Rejected = tuple[OutboxRow, RedisError]


async def send(
    redis: Redis, rows: Sequence[OutboxRow], retention: Mapping[str, Retention], now: datetime
) -> tuple[list[Delivered], list[Rejected]]:
    """Append all rows in one round trip; raise Unavailable when it is unknown which of them arrived."""
    entries = [NewEntry(row.stream, row.fields(), retention.get(row.stream)) for row in rows]
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
