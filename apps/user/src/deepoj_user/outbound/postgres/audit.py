"""The audit log: a row with the change it tells of, a log line and a count."""

from __future__ import annotations

import logging
from typing import Final

from deepoj_domain.account.audit import NOWHERE, AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_kit.clock import Clock
from deepoj_kit.ids import Uuid7
from deepoj_kit.postgres import Connection
from deepoj_kit.postgres.statements import insert
from deepoj_kit.telemetry import counter
from deepoj_user.outbound.postgres.tables import AUDIT_LOG

_log = logging.getLogger(__name__)
_EVENTS = counter("user_events", "Security events written to the audit log", ("event",))
_ADD: Final = insert(AUDIT_LOG).encode()
_FORGET: Final = "UPDATE \"user\".audit_log SET address = NULL, user_agent = '' WHERE account_id = %s"


class PostgresAuditLog:
    def __init__(self, connection: Connection, clock: Clock, new_id: Uuid7) -> None:
        self._connection = connection
        self._clock = clock
        self._new_id = new_id

    async def add(
        self, event: AuditEvent, account_id: AccountId | None, origin: Origin = NOWHERE, detail: str = ""
    ) -> None:
        row = {
            "id": self._new_id(),
            "at": self._clock(),
            "account_id": account_id,
            "event": event,
            "address": origin.address,
            "user_agent": origin.user_agent,
            "detail": detail,
        }
        await self._connection.execute(_ADD, row)
        _EVENTS.add(event=event)
        # Addresses stay in the table, where they can be forgotten.
        _log.info("%s", event, extra={"user_id": str(account_id or ""), "stage": event, "detail": detail})

    async def forget(self, account_id: AccountId) -> None:
        await self._connection.execute(_FORGET, (account_id,))
