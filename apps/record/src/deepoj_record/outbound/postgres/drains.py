"""Drained workers in PostgreSQL: few, so a worker's own is found by looking at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from deepoj_domain.kernel.ids import WorkerId
from deepoj_kit.postgres import Database
from deepoj_record.commands.drains import Drain
from deepoj_record.outbound.postgres.tables import fetch, made_of, read
from deepoj_record.queries.orders import DrainOrder

_COLUMNS: Final = "name, reason, drained_by, drained_at, hand_back_at"
_PUT: Final = f"""
    INSERT INTO record.drained_workers AS known ({_COLUMNS})
    VALUES (%(name)s, %(reason)s, %(drained_by)s, %(drained_at)s, %(hand_back_at)s)
    ON CONFLICT (name) DO UPDATE
    SET reason = EXCLUDED.reason, drained_by = EXCLUDED.drained_by, hand_back_at = EXCLUDED.hand_back_at
    RETURNING known.name, known.reason, known.drained_by, known.drained_at, known.hand_back_at
"""  # noqa: S608 — our own names
_REMOVE: Final = "DELETE FROM record.drained_workers WHERE name = %s RETURNING name"
_LIST: Final = f"SELECT {_COLUMNS} FROM record.drained_workers ORDER BY name"  # noqa: S608 — our own names
_OF: Final = """
    SELECT reason, hand_back_at FROM record.drained_workers
    WHERE name = %(worker)s OR starts_with(%(worker)s, name || '.')
    ORDER BY hand_back_at LIMIT 1
"""


class PostgresDrains:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, drain: Drain) -> Drain:
        async with self._database.connection() as connection:
            (row,) = await fetch(connection, _PUT, asdict(drain))
        return made_of(row, Drain)

    async def remove(self, name: WorkerId) -> bool:
        async with self._database.connection() as connection:
            return bool(await fetch(connection, _REMOVE, (name,)))

    async def of(self, worker: WorkerId) -> DrainOrder | None:
        found = await read(self._database, _OF, {"worker": worker})
        return made_of(found[0], DrainOrder) if found else None

    async def list(self) -> Sequence[Drain]:
        return [made_of(row, Drain) for row in await read(self._database, _LIST)]
