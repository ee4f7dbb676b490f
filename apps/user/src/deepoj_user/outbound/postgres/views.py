"""What the queries read."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Interface, IPv6Interface
from typing import Any, Final
from uuid import UUID

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry, AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import Page, PageRequest, Position, at_id, id_at, paged
from deepoj_kit.postgres import Database
from deepoj_user.outbound.postgres.rows import ACCOUNT_COLUMNS, API_COLUMNS, account, api_token, utc
from deepoj_user.queries.ports import AccountFilter

_ACCOUNTS: Final = f'SELECT {ACCOUNT_COLUMNS} FROM "user".accounts a WHERE '  # noqa: S608 — constants
_BY_ID: Final = f"{_ACCOUNTS} a.id = %s".encode()
# What a deleted account is stored under is no name of anybody.
_BY_NAME: Final = f"{_ACCOUNTS} lower(a.name) = lower(%s) AND a.status <> 'deleted'".encode()
_LIST: Final = f"""{_ACCOUNTS}
    (cardinality(%(ids)s::uuid[]) = 0 OR a.id = ANY(%(ids)s))
AND (cardinality(%(names)s::text[]) = 0 OR lower(a.name) = ANY(%(names)s) AND a.status <> 'deleted')
AND (%(role)s::text IS NULL OR a.role = %(role)s)
AND (cardinality(%(statuses)s::text[]) = 0 OR a.status = ANY(%(statuses)s))
AND (%(search)s = '' OR starts_with(lower(a.name), lower(%(search)s))
     OR starts_with(lower(a.display_name), lower(%(search)s))
     OR (%(in_email)s AND starts_with(a.email, lower(%(search)s))))
AND (%(after)s::uuid IS NULL OR a.id > %(after)s)
ORDER BY a.id LIMIT %(limit)s
""".encode()
_TOKENS: Final = f"""
SELECT {API_COLUMNS} FROM "user".api_tokens t WHERE t.account_id = %s ORDER BY t.id
""".encode()  # noqa: S608 — constants
_AUDIT: Final = """
SELECT id, at, account_id, event, address, user_agent, detail FROM "user".audit_log
WHERE (%(account)s::uuid IS NULL OR account_id = %(account)s) AND (%(after)s::uuid IS NULL OR id < %(after)s)
ORDER BY id DESC LIMIT %(limit)s
"""


class PostgresViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, account_id: AccountId) -> Account | None:
        return next(iter(await self._accounts(_BY_ID, (account_id,))), None)

    async def by_name(self, name: str) -> Account | None:
        return next(iter(await self._accounts(_BY_NAME, (name,))), None)

    async def list(self, wanted: AccountFilter, page: PageRequest) -> Page[Account]:
        values = {
            "ids": sorted(wanted.ids),
            "names": sorted(name.lower() for name in wanted.names),
            "role": wanted.role,
            "statuses": sorted(wanted.statuses),
            "search": wanted.search,
            "in_email": wanted.in_email,
            "after": _id(page.after),
            "limit": page.size + 1,
        }
        return paged(await self._accounts(_LIST, values), page, lambda last: at_id(last.id))

    async def _accounts(self, statement: bytes, values: Any) -> Sequence[Account]:  # noqa: ANN401 — psycopg's parameters
        async with self._database.connection() as connection:
            rows = await (await connection.execute(statement, values)).fetchall()
        return [account(row) for row in rows]


class PostgresTokenViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, account_id: AccountId) -> Sequence[ApiToken]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_TOKENS, (account_id,))).fetchall()
        return [api_token(row) for row in rows]


class PostgresAuditViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, account_id: AccountId | None, page: PageRequest) -> Page[AuditEntry]:
        values = {"account": account_id, "after": _id(page.after), "limit": page.size + 1}
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_AUDIT, values)).fetchall()
        return paged([_entry(row) for row in rows], page, lambda last: at_id(last.id))


def _entry(row: tuple[Any, ...]) -> AuditEntry:
    key, at, account_id, event, address, user_agent, detail = row
    if isinstance(address, IPv4Interface | IPv6Interface):
        address = address.ip
    return AuditEntry(
        id=key,
        at=utc(at),
        account_id=None if account_id is None else AccountId(account_id),
        event=AuditEvent(event),
        origin=Origin(address, user_agent),
        detail=detail,
    )


def _id(after: Position | None) -> UUID | None:
    return None if after is None else id_at(after)
