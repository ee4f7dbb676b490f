"""An admin takes an invitation back; who came by it stays."""

from __future__ import annotations

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.invitation import InvitationRefusal
from deepoj_domain.kernel.ids import InvitationId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import admin_as_of_now
from deepoj_user.commands.ports import Store


class RevokeInvitation:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def __call__(
        self, claimed: Actor, invitation_id: InvitationId, origin: Origin
    ) -> Refused[InvitationRefusal | AccountRefusal] | None:
        async with self._store.transaction() as transaction:
            actor = await admin_as_of_now(transaction, claimed)
            if isinstance(actor, Refused):
                return actor
            if not await transaction.invitations.remove(invitation_id):
                return Refused(InvitationRefusal.NOT_FOUND)
            event = AuditEvent.INVITATION_REVOKED
            await transaction.audit.add(event, actor.account_id, origin, str(invitation_id))
            return None
