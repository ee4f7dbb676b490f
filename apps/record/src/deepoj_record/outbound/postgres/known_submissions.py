"""Which of many submissions there are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_kit.postgres import Database

_THERE: Final = "SELECT id FROM record.submissions WHERE id = ANY(%s)"


class PostgresKnownSubmissions:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def there(self, ids: Collection[SubmissionId]) -> frozenset[SubmissionId]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_THERE, (list(ids),))).fetchall()
        return frozenset(SubmissionId(row[0]) for row in rows)
