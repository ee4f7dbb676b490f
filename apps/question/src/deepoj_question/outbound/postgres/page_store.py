"""Statements as HTML, by the hash of what they were made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from deepoj_domain.kernel.digest import ContentHash
from deepoj_kit.postgres import Database

_FIND: Final = "SELECT html FROM question.pages WHERE source = %s"
_HAVE: Final = "SELECT source FROM question.pages WHERE source = ANY(%s)"
_KEEP: Final = "INSERT INTO question.pages (source, html) VALUES (%s, %s) ON CONFLICT (source) DO NOTHING"


class PageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, source: ContentHash) -> str | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_FIND, (bytes.fromhex(source),))).fetchone()
        return None if row is None else row[0]

    async def have(self, sources: Collection[ContentHash]) -> frozenset[ContentHash]:
        async with self._database.connection() as connection:
            cursor = await connection.execute(_HAVE, ([bytes.fromhex(each) for each in sources],))
            return frozenset(ContentHash(row[0].hex()) for row in await cursor.fetchall())

    async def keep(self, pages: Mapping[ContentHash, str]) -> None:
        async with self._database.connection() as connection:
            for source, html in pages.items():
                await connection.execute(_KEEP, (bytes.fromhex(source), html))
