"""The end of what has expired, a bounded number of rows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from deepoj_kit.clock import Clock
from deepoj_kit.postgres import Database

_BATCH: Final = 5_000
# Reuse of a token is noticed for as long as it is kept; captchas stay a day for whoever asks why one failed.
_EXPIRED: Final = {
    "refresh_tokens": ("token_hash", "expires_at"),
    "captchas": ("id", "expires_at"),
    "throttles": ("key_hash", "paid_until"),
    "signing_keys": ("id", "created_at"),
    "audit_log": ("id", "at"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keep:
    """How long rows stay after the moment in their column."""

    signing_keys: timedelta
    audit_log: timedelta
    captchas: timedelta = timedelta(days=1)
    refresh_tokens: timedelta = timedelta(0)
    throttles: timedelta = timedelta(0)


class Purge:
    def __init__(self, database: Database, keep: Keep, clock: Clock) -> None:
        self._database = database
        self._keep = keep
        self._clock = clock

    async def __call__(self) -> int:
        deleted = 0
        now = self._clock()
        async with self._database.connection() as connection:
            for table, (key, column) in _EXPIRED.items():
                before = now - getattr(self._keep, table)
                found = f'SELECT {key} FROM "user".{table} WHERE {column} < %s LIMIT {_BATCH}'  # noqa: S608 — constants
                statement = f'DELETE FROM "user".{table} WHERE {key} IN ({found})'  # noqa: S608 — constants
                deleted += (await connection.execute(statement.encode(), (before,))).rowcount
        return deleted
