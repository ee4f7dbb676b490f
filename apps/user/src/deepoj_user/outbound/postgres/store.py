"""One transaction over everything that belongs to accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from deepoj_kit.clock import Clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.postgres import Database
from deepoj_user.outbound.messages import Messages
from deepoj_user.outbound.postgres.accounts import PostgresAccounts
from deepoj_user.outbound.postgres.api_tokens import PostgresApiTokens
from deepoj_user.outbound.postgres.audit import PostgresAuditLog
from deepoj_user.outbound.postgres.captchas import PostgresCaptchas
from deepoj_user.outbound.postgres.invitations import PostgresInvitations
from deepoj_user.outbound.postgres.sessions import PostgresSessions


@dataclass(frozen=True, slots=True)
class PostgresTransaction:
    accounts: PostgresAccounts
    captchas: PostgresCaptchas
    sessions: PostgresSessions
    invitations: PostgresInvitations
    api_tokens: PostgresApiTokens
    audit: PostgresAuditLog


class PostgresStore:
    def __init__(
        self, database: Database, messages: Messages, publish: Callable[[], None], clock: Clock, new_id: Uuid7
    ) -> None:
        """`publish` is called after a commit that wrote messages."""
        self._database = database
        self._messages = messages
        self._publish = publish
        self._clock = clock
        self._new_id = new_id

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PostgresTransaction]:
        async with self._database.transaction() as connection:
            accounts = PostgresAccounts(connection, self._messages)
            yield PostgresTransaction(
                accounts,
                PostgresCaptchas(connection),
                PostgresSessions(connection),
                PostgresInvitations(connection),
                PostgresApiTokens(connection),
                PostgresAuditLog(connection, self._clock, self._new_id),
            )
        if accounts.has_told:
            self._publish()
