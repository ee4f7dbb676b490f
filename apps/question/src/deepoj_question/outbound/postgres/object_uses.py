"""Who relies on which file: the row that an import and a sweep agree on.

A file is held before anybody looks whether it is there, and taken before it is deleted; both write its row,
so one of them sees the other. A revision that is stored names its files by a trigger.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_kit.postgres import Database
from deepoj_kit.unavailable import Unavailable
from deepoj_question.commands.sweep_objects import Taken

# Longer than whoever takes files needs for a batch; after it they died, and somebody else goes on.
LEASE: Final = timedelta(minutes=5)
# A batch that is being deleted is gone within moments.
_TRIES: Final = 50
_PAUSE: Final = 0.1

_HOLD: Final = """
INSERT INTO question.objects (content, used_at)
SELECT content, now() FROM unnest(%s::bytea[]) AS held (content) ORDER BY content
ON CONFLICT (content) DO UPDATE SET used_at = excluded.used_at, taken_at = NULL
WHERE objects.taken_at IS NULL OR objects.taken_at < now() - %s
RETURNING content
"""
_REGISTER: Final = """
INSERT INTO question.objects (content, used_at)
SELECT content, now() FROM unnest(%s::bytea[]) AS seen (content) ORDER BY content
ON CONFLICT (content) DO NOTHING
"""
_UNNAMED: Final = """
NOT named AND used_at < now() - %s AND (taken_at IS NULL OR taken_at < now() - %s)
"""
_TAKE: Final = f"""
UPDATE question.objects SET taken_at = now()
WHERE content IN (
    SELECT content FROM question.objects WHERE {_UNNAMED} LIMIT %s FOR UPDATE SKIP LOCKED
) RETURNING content, taken_at
"""  # noqa: S608 — constants
_CANDIDATES: Final = f"SELECT content FROM question.objects WHERE {_UNNAMED}"  # noqa: S608 — constants
_FORGET: Final = "DELETE FROM question.objects WHERE content = ANY(%s) AND taken_at = %s"
_ABSENT: Final = """
SELECT content FROM question.objects
WHERE named AND content > %s AND (%s::bytea IS NULL OR content <= %s) AND NOT content = ANY(%s)
"""


class PostgresObjectUses:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def hold(self, contents: Collection[ContentHash]) -> None:
        """See that none of them is deleted for as long as unnamed files are kept, counted from now."""
        wanted = set(contents)
        for _ in range(_TRIES):
            wanted -= await self._held(wanted)
            if not wanted:
                return
            await asyncio.sleep(_PAUSE)
        raise Unavailable(f"{len(wanted)} files are being deleted at this moment")

    async def _held(self, wanted: Collection[ContentHash]) -> frozenset[ContentHash]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_HOLD, (_bytes(wanted), LEASE))
            return _contents(row[0] for row in await cursor.fetchall())

    async def register(self, contents: Collection[ContentHash]) -> None:
        async with self._database.connection() as connection:
            await connection.execute(_REGISTER, (_bytes(contents),))

    async def take(self, keep: timedelta, most: int) -> Taken | None:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_TAKE, (keep, LEASE, most))).fetchall()
        return Taken(_contents(row[0] for row in rows), rows[0][1]) if rows else None

    async def candidates(self, keep: timedelta) -> frozenset[ContentHash]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_CANDIDATES, (keep, LEASE))
            return _contents(row[0] for row in await cursor.fetchall())

    async def forget(self, contents: Collection[ContentHash], taken_at: datetime) -> None:
        async with self._database.connection() as connection:
            await connection.execute(_FORGET, (_bytes(contents), taken_at))

    async def absent(
        self, after: ContentHash | None, upto: ContentHash | None, there: Sequence[ContentHash]
    ) -> frozenset[ContentHash]:
        first = bytes.fromhex(after) if after else b""
        last = bytes.fromhex(upto) if upto else None
        async with self._database.connection() as connection:
            cursor = await connection.execute(_ABSENT, (first, last, last, _bytes(there)))
            return _contents(row[0] for row in await cursor.fetchall())


def _bytes(contents: Iterable[ContentHash]) -> list[bytes]:
    return [bytes.fromhex(each) for each in contents]


def _contents(found: Iterable[bytes]) -> frozenset[ContentHash]:
    return frozenset(ContentHash(each.hex()) for each in found)
