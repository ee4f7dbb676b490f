"""API tokens within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.kernel.ids import AccountId, ApiTokenId
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import insert
from deepoj_user.outbound.postgres.rows import API_COLUMNS, api_token
from deepoj_user.outbound.postgres.tables import API_TOKENS

_GET: Final = f'SELECT {API_COLUMNS} FROM "user".api_tokens t WHERE t.id = %s'.encode()  # noqa: S608 — constants
_COUNT: Final = 'SELECT count(*) FROM "user".api_tokens WHERE account_id = %s'
_ADD: Final = f"{insert(API_TOKENS, 'last_used_at')} ON CONFLICT (id) DO NOTHING".encode()
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
        row = {
            "id": token.id,
            "account_id": token.account_id,
            "name": token.name,
            "secret_hash": token.digest,
            "scopes": sorted(token.scopes),
            "created_at": token.created_at,
            "expires_at": token.expires_at,
        }
        return bool((await self._connection.execute(_ADD, row)).rowcount)

    async def remove(self, token_id: ApiTokenId) -> None:
        await self._connection.execute(_REMOVE, (token_id,))

    async def remove_all(self, account_id: AccountId) -> None:
        await self._connection.execute(_REMOVE_ALL, (account_id,))
