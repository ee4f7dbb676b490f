"""Accounts looked up without a lock."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.kernel.ids import ApiTokenId
from deepoj_kit.postgres import Database
from deepoj_user.outbound.postgres.rows import (
    ACCOUNT_COLUMNS,
    ACCOUNT_WIDTH,
    API_COLUMNS,
    account,
    api_token,
)

_ACCOUNTS: Final = f'SELECT {ACCOUNT_COLUMNS} FROM "user".accounts a WHERE '  # noqa: S608 — constants
# A name holds no @, so the text says which of the two it is.
_BY_NAME: Final = f"{_ACCOUNTS} lower(a.name) = lower(%s)".encode()
_BY_EMAIL: Final = f"{_ACCOUNTS} a.email = lower(%s)".encode()
_OWNER: Final = f"""
SELECT {ACCOUNT_COLUMNS}, {API_COLUMNS} FROM "user".api_tokens t JOIN "user".accounts a ON a.id = t.account_id
WHERE t.secret_hash = %s
""".encode()  # noqa: S608 — constants
_MARK: Final = """
UPDATE "user".api_tokens SET last_used_at = greatest(%s, coalesce(last_used_at, '-infinity')) WHERE id = %s
"""


class PostgresDirectory:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def by_login(self, login: str) -> Account | None:
        async with self._database.connection() as connection:
            statement = _BY_EMAIL if "@" in login else _BY_NAME
            row = await (await connection.execute(statement, (login,))).fetchone()
        return None if row is None else account(row)

    async def owner_of(self, digest: bytes) -> tuple[ApiToken, Account] | None:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_OWNER, (digest,))).fetchone()
        return None if row is None else (api_token(row[ACCOUNT_WIDTH:]), account(row[:ACCOUNT_WIDTH]))

    async def mark_used(self, token_id: ApiTokenId, now: datetime) -> None:
        async with self._database.connection() as connection:
            await connection.execute(_MARK, (now, token_id))
