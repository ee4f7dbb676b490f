"""Token buckets in PostgreSQL: one statement takes a token or finds none, however many ask at once.

`paid_until` is the moment at which the bucket is full again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_kit.postgres import Connection, Database
from deepoj_kit.postgres.statements import utc
from deepoj_kit.telemetry import counter
from deepoj_user.commands.ports import Bucket

_THROTTLED = counter("user_throttled", "Calls refused because they came too often", ("kind",))
_CHARGE: Final = """
INSERT INTO "user".throttles AS t (key_hash, paid_until) VALUES (%(key)s, %(first)s)
ON CONFLICT (key_hash) DO UPDATE SET paid_until = greatest(t.paid_until, %(now)s) + %(interval)s
WHERE greatest(t.paid_until, %(now)s) + %(interval)s <= %(now)s + %(whole)s
"""
_PAID_UNTIL: Final = 'SELECT paid_until FROM "user".throttles WHERE key_hash = %s'
_REFUND: Final = 'UPDATE "user".throttles SET paid_until = paid_until - %s WHERE key_hash = %s'


class PostgresThrottle:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def charge(self, buckets: Sequence[Bucket], now: datetime) -> timedelta | None:
        async with self._database.connection() as connection:
            for bucket in buckets:
                if (wait := await _charge(connection, bucket, now)) is not None:
                    _THROTTLED.add(kind=bucket.key.partition(":")[0])
                    return wait
        return None

    async def refund(self, buckets: Sequence[Bucket]) -> None:
        async with self._database.connection() as connection:
            for bucket in buckets:
                await connection.execute(_REFUND, (bucket.limit.interval, _key(bucket)))


async def _charge(connection: Connection, bucket: Bucket, now: datetime) -> timedelta | None:
    limit, key = bucket.limit, _key(bucket)
    values = {"key": key, "now": now, "interval": limit.interval, "whole": limit.burst * limit.interval}
    values["first"] = TokenBucket(now).taken(limit, now).full_at
    if (await connection.execute(_CHARGE, values)).rowcount:
        return None
    row = await (await connection.execute(_PAID_UNTIL, (key,))).fetchone()
    return limit.interval if row is None else TokenBucket(utc(row[0])).wait(limit, now)


def _key(bucket: Bucket) -> bytes:
    return sha256(bucket.key.encode()).digest()
