"""What the queries read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry, AuditEvent
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.ids import AccountId, FamilyId
from deepoj_domain.kernel.paging import Page, PageRequest, Position, at_id, id_at, paged
from deepoj_kit.postgres import Database
from deepoj_kit.postgres.statements import selected
from deepoj_user.outbound.postgres.rows import (
    ACCOUNT_COLUMNS,
    API_COLUMNS,
    INVITATION_COLUMNS,
    account,
    api_token,
    invitation,
    origin,
    utc,
)
from deepoj_user.outbound.postgres.tables import AUDIT_LOG
from deepoj_user.queries.ports import AccountFilter, Session

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
_AUDIT: Final = f"""
SELECT {selected(AUDIT_LOG, "l", *AUDIT_LOG.c.keys())} FROM "user".audit_log l
WHERE (%(account)s::uuid IS NULL OR account_id = %(account)s) AND (%(after)s::uuid IS NULL OR id < %(after)s)
ORDER BY id DESC LIMIT %(limit)s
""".encode()  # noqa: S608 — names of columns
# Of each session exactly the last token is unused.
_SESSIONS: Final = """
SELECT t.family_id, t.started_at, t.issued_at, t.address, t.user_agent
FROM "user".refresh_tokens t JOIN "user".accounts a ON a.id = t.account_id
WHERE t.account_id = %s AND t.used_at IS NULL AND t.expires_at > %s AND t.session_epoch = a.session_epoch
ORDER BY t.issued_at DESC, t.family_id LIMIT 100
"""
_INVITATIONS: Final = f"""
SELECT {INVITATION_COLUMNS} FROM "user".invitations i ORDER BY i.id DESC
""".encode()  # noqa: S608 — constants
_ADMIN_LOG_INS: Final = """
SELECT EXISTS (
    SELECT 1 FROM "user".audit_log l JOIN "user".accounts a ON a.id = l.account_id
    WHERE a.role = 'admin' AND l.event = %s
)
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


class PostgresSessionViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, account_id: AccountId, now: datetime) -> Sequence[Session]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_SESSIONS, (account_id, now))).fetchall()
        return [
            Session(id=FamilyId(key), started_at=utc(started_at), used_at=utc(used_at), origin=origin(*where))
            for key, started_at, used_at, *where in rows
        ]


class PostgresInvitationViews:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> Sequence[Invitation]:
        async with self._database.connection() as connection:
            rows = await (await connection.execute(_INVITATIONS)).fetchall()
        return [invitation(row) for row in rows]


class PostgresAdminLogIns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def any(self) -> bool:
        async with self._database.connection() as connection:
            row = await (await connection.execute(_ADMIN_LOG_INS, (AuditEvent.LOGGED_IN,))).fetchone()
        return row is not None and bool(row[0])


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
    return AuditEntry(
        id=key,
        at=utc(at),
        account_id=None if account_id is None else AccountId(account_id),
        event=AuditEvent(event),
        origin=origin(address, user_agent),
        detail=detail,
    )


def _id(after: Position | None) -> UUID | None:
    return None if after is None else id_at(after)
