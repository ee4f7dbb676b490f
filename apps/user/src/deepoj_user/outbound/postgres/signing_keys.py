"""Signing keys in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from deepoj_kit.postgres import Database
from deepoj_kit.postgres.statements import utc
from deepoj_user.queries.ports import PublicKey

# Processes that start together must agree on one key.
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('deepoj user signing key', 0))"
_NEWEST_FIRST: Final = """
SELECT id, private_key, public_key, created_at FROM "user".signing_keys ORDER BY created_at DESC, id
"""
_ADD: Final = """
INSERT INTO "user".signing_keys (id, private_key, public_key, created_at) VALUES (%s, %s, %s, %s)
"""


@dataclass(frozen=True, slots=True)
class StoredKey:
    id: str
    private_pem: str = field(repr=False)
    public_pem: str
    created_at: datetime


class PostgresSigningKeys:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def newest_or_add(
        self, usable: Callable[[StoredKey], bool], make: Callable[[], StoredKey]
    ) -> StoredKey:
        async with self._database.transaction() as connection:
            await connection.execute(_LOCK)
            rows = await (await connection.execute(_NEWEST_FIRST)).fetchall()
            for key, private, public, created_at in rows:
                found = StoredKey(key, private, public, utc(created_at))
                if usable(found):
                    return found
            made = make()
            await connection.execute(_ADD, (made.id, made.private_pem, made.public_pem, made.created_at))
            return made

    async def public_keys(self) -> Sequence[PublicKey]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_NEWEST_FIRST)).fetchall()
        return [PublicKey(key, public) for key, _, public, _ in rows]
