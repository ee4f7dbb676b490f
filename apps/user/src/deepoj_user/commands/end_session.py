"""An owner ends one of their sessions."""

from __future__ import annotations

from enum import StrEnum

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import FamilyId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.ports import Store


class EndSessionRefusal(StrEnum):
    NOT_FOUND = "session_not_found"


class EndSession:
    """An access token of it that is out stays good for its few minutes, as after logging out."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(
        self, actor: Actor, session: FamilyId, origin: Origin
    ) -> Refused[EndSessionRefusal] | None:
        async with self._store.transaction() as transaction:
            # Got first: nothing else then writes sessions of this account.
            await transaction.accounts.get(actor.account_id)
            if not await transaction.sessions.has_family(actor.account_id, session):
                return Refused(EndSessionRefusal.NOT_FOUND)
            await transaction.sessions.end_family(session)
            await transaction.audit.add(AuditEvent.SESSION_ENDED, actor.account_id, origin, str(session))
            return None
