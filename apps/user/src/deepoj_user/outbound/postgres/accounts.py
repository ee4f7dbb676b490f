"""Accounts within one transaction."""

from __future__ import annotations

from typing import Final

from deepoj_domain.account.account import Account
from deepoj_domain.account.personal import EmailAddress, Username
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import assignments, insert
from deepoj_user.commands.ports import Taken
from deepoj_user.outbound.messages import Messages
from deepoj_user.outbound.postgres.rows import ACCOUNT_COLUMNS, Row, account, account_row
from deepoj_user.outbound.postgres.tables import ACCOUNTS

_LOCKED: Final = f'SELECT {ACCOUNT_COLUMNS} FROM "user".accounts a WHERE a.{{}} = %s FOR UPDATE'  # noqa: S608 — constants
_BY_ID: Final = _LOCKED.format("id").encode()
_BY_EMAIL: Final = _LOCKED.format("email").encode()
_NAME: Final = 'SELECT 1 FROM "user".accounts WHERE lower(name) = lower(%s)'
_ADD: Final = f"{insert(ACCOUNTS)} ON CONFLICT DO NOTHING".encode()
_TAKEN: Final = """
SELECT id = %(id)s, lower(name) = lower(%(name)s) FROM "user".accounts
WHERE id = %(id)s OR lower(name) = lower(%(name)s) OR email = %(email)s
"""
_SAVE: Final = f"""
UPDATE "user".accounts SET {assignments(ACCOUNTS, "id", "created_at")} WHERE id = %(id)s
""".encode()  # noqa: S608 — names of columns
# Held to the end of the transaction: of two admins who leave at once, the second sees that the first is gone.
_ADMINS_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('deepoj user admins', 0))"
_HAS_ADMIN: Final = """
SELECT EXISTS (
    SELECT 1 FROM "user".accounts WHERE role = 'admin' AND status = 'active' AND id IS DISTINCT FROM %s
)
"""


class PostgresAccounts:
    def __init__(self, connection: Connection, messages: Messages) -> None:
        self._connection = connection
        self._messages = messages
        self.has_told = False
        """Whether events were written."""

    async def get(self, account_id: AccountId) -> Account | None:
        return await self._one(_BY_ID, account_id)

    async def by_email(self, email: EmailAddress) -> Account | None:
        return await self._one(_BY_EMAIL, email)

    async def name_is_free(self, name: Username) -> bool:
        return await (await self._connection.execute(_NAME, (name,))).fetchone() is None

    async def add(self, changed: Changed[Account]) -> Taken | None:
        row = account_row(changed.after)
        if (await self._connection.execute(_ADD, row)).rowcount:
            await self._tell(changed)
            return None
        found = await (await self._connection.execute(_TAKEN, row)).fetchall()
        return _what_is_taken(found)

    async def save(self, changed: Changed[Account]) -> None:
        await self._connection.execute(_SAVE, account_row(changed.after))
        await self._tell(changed)

    async def has_admin(self, besides: AccountId | None = None) -> bool:
        await self._connection.execute(_ADMINS_LOCK)
        row = await (await self._connection.execute(_HAS_ADMIN, (besides,))).fetchone()
        return row is not None and bool(row[0])

    async def _tell(self, changed: Changed[Account]) -> None:
        self.has_told |= await self._messages.add(self._connection, changed.events)

    async def _one(self, statement: bytes, key: object) -> Account | None:
        row = await (await self._connection.execute(statement, (key,))).fetchone()
        return None if row is None else account(row)


def _what_is_taken(found: list[Row]) -> Taken:
    if any(same_id for same_id, _ in found):
        return Taken.ACCOUNT_ID
    return Taken.NAME if any(same_name for _, same_name in found) else Taken.EMAIL
