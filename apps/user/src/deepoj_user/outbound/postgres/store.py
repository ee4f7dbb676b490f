"""One transaction over everything that belongs to accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from deepoj_kit.clock import Clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.postgres import Database
from deepoj_user.outbound.postgres.accounts import PostgresAccounts
from deepoj_user.outbound.postgres.api_tokens import PostgresApiTokens
from deepoj_user.outbound.postgres.audit import PostgresAuditLog
from deepoj_user.outbound.postgres.captchas import PostgresCaptchas
from deepoj_user.outbound.postgres.sessions import PostgresSessions


@dataclass(frozen=True, slots=True)
class PostgresTransaction:
    accounts: PostgresAccounts
    captchas: PostgresCaptchas
    sessions: PostgresSessions
    api_tokens: PostgresApiTokens
    audit: PostgresAuditLog


class PostgresStore:
    def __init__(self, database: Database, clock: Clock, new_id: Uuid7) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[PostgresTransaction]:
        async with self._database.transaction() as connection:
            yield PostgresTransaction(
                PostgresAccounts(connection),
                PostgresCaptchas(connection),
                PostgresSessions(connection),
                PostgresApiTokens(connection),
                PostgresAuditLog(connection, self._clock, self._new_id),
            )
