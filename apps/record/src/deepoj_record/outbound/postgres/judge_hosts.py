"""Judge hosts in PostgreSQL: of a credential only its hash."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from deepoj_kit.postgres import Database
from deepoj_record.commands.judge_hosts import HostName, JudgeHost
from deepoj_record.outbound.postgres.tables import fetch, made_of, read

_PUT: Final = """
    INSERT INTO record.judge_hosts (name, credential_sha256, invited_at) VALUES (%s, %s, %s)
    ON CONFLICT (name) DO UPDATE
    SET credential_sha256 = EXCLUDED.credential_sha256, invited_at = EXCLUDED.invited_at, revoked_at = NULL
"""
_REVOKE: Final = """
    UPDATE record.judge_hosts SET revoked_at = coalesce(revoked_at, %s) WHERE name = %s RETURNING name
"""
_FIND: Final = "SELECT name FROM record.judge_hosts WHERE credential_sha256 = %s AND revoked_at IS NULL"
_LIST: Final = "SELECT name, credential_sha256, invited_at, revoked_at FROM record.judge_hosts ORDER BY name"


class PostgresJudgeHosts:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, host: JudgeHost) -> None:
        async with self._database.connection() as connection:
            await connection.execute(_PUT, (host.name, host.credential_sha256, host.invited_at))

    async def revoke(self, name: HostName, now: datetime) -> bool:
        async with self._database.connection() as connection:
            return bool(await fetch(connection, _REVOKE, (now, name)))

    async def by_credential(self, sha256: bytes) -> HostName | None:
        found = await read(self._database, _FIND, (sha256,))
        return HostName(found[0]["name"]) if found else None

    async def list(self) -> Sequence[JudgeHost]:
        return [made_of(row, JudgeHost) for row in await read(self._database, _LIST)]
