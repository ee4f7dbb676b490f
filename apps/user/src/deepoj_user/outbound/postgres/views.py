"""What the queries read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, func, or_, select

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry, AuditEvent
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.ids import AccountId, FamilyId
from deepoj_domain.kernel.paging import Page, PageRequest, at_id, id_at, paged
from deepoj_kit.postgres import Database, compiled
from deepoj_kit.postgres.statements import utc
from deepoj_user.outbound.postgres.rows import (
    ACCOUNT_COLUMNS,
    API_COLUMNS,
    INVITATION_COLUMNS,
    account,
    api_token,
    invitation,
    origin,
)
from deepoj_user.outbound.postgres.tables import ACCOUNTS, AUDIT_LOG
from deepoj_user.queries.ports import AccountFilter, Session

_A, _L = ACCOUNTS.c, AUDIT_LOG.c
# What a deleted account is stored under is no name of anybody.
_HAS_NAME: Final = _A.status != AccountStatus.DELETED.value
_ACCOUNTS: Final = f'SELECT {ACCOUNT_COLUMNS} FROM "user".accounts a WHERE '  # noqa: S608 — constants
_BY_ID: Final = f"{_ACCOUNTS} a.id = %s".encode()
_BY_NAME: Final = f"{_ACCOUNTS} lower(a.name) = lower(%s) AND a.status <> 'deleted'".encode()
_TOKENS: Final = f"""
SELECT {API_COLUMNS} FROM "user".api_tokens t WHERE t.account_id = %s ORDER BY t.id
""".encode()  # noqa: S608 — constants
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
        statement = select(ACCOUNTS).where(*_matching(wanted))
        if page.after is not None:
            statement = statement.where(_A.id > id_at(page.after))
        statement = statement.order_by(_A.id).limit(page.size + 1)
        return paged(await self._accounts(*compiled(statement)), page, lambda last: at_id(last.id))

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
        statement = select(AUDIT_LOG).order_by(_L.id.desc()).limit(page.size + 1)
        if account_id is not None:
            statement = statement.where(_L.account_id == account_id)
        if page.after is not None:
            statement = statement.where(_L.id < id_at(page.after))
        async with self._database.connection() as connection:
            rows = await (await connection.execute(*compiled(statement))).fetchall()
        return paged([_entry(row) for row in rows], page, lambda last: at_id(last.id))


def _matching(wanted: AccountFilter) -> Iterator[ColumnElement[bool]]:
    name = func.lower(_A.name)
    if wanted.ids:
        yield _A.id.in_(sorted(wanted.ids))
    if wanted.names:
        yield name.in_(sorted(each.lower() for each in wanted.names)) & _HAS_NAME
    if wanted.role is not None:
        yield _A.role == wanted.role
    if wanted.statuses:
        yield _A.status.in_(sorted(wanted.statuses))
    if wanted.search:
        beginnings = [name, func.lower(_A.display_name), *([_A.email] if wanted.in_email else [])]
        yield or_(*(func.starts_with(each, func.lower(wanted.search)) for each in beginnings))


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
