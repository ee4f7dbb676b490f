"""API tokens within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.kernel.ids import AccountId, ApiTokenId
from deepoj_kit.postgres import Connection
from deepoj_user.outbound.postgres.rows import API_COLUMNS, api_token

_GET: Final = f'SELECT {API_COLUMNS} FROM "user".api_tokens t WHERE t.id = %s'.encode()  # noqa: S608 — constants
_COUNT: Final = 'SELECT count(*) FROM "user".api_tokens WHERE account_id = %s'
_ADD: Final = """
INSERT INTO "user".api_tokens (id, account_id, name, secret_hash, scopes, created_at, expires_at)
VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (id) DO NOTHING
"""
_REMOVE: Final = 'DELETE FROM "user".api_tokens WHERE id = %s'
_REMOVE_ALL: Final = 'DELETE FROM "user".api_tokens WHERE account_id = %s'


class PostgresApiTokens:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def get(self, token_id: ApiTokenId) -> ApiToken | None:
        row = await (await self._connection.execute(_GET, (token_id,))).fetchone()
        return None if row is None else api_token(row)

    async def count(self, account_id: AccountId) -> int:
        row = await (await self._connection.execute(_COUNT, (account_id,))).fetchone()
        return 0 if row is None else int(row[0])

    async def add(self, token: ApiToken) -> bool:
        values = (
            token.id,
            token.account_id,
            token.name,
            token.digest,
            sorted(token.scopes),
            token.created_at,
            token.expires_at,
        )
        return bool((await self._connection.execute(_ADD, values)).rowcount)

    async def remove(self, token_id: ApiTokenId) -> None:
        await self._connection.execute(_REMOVE, (token_id,))

    async def remove_all(self, account_id: AccountId) -> None:
        await self._connection.execute(_REMOVE_ALL, (account_id,))
