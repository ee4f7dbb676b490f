"""An admin makes a code by which people get in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.invitation import MOST_INVITATIONS, Invitation, InvitationRefusal, invite
from deepoj_domain.kernel.ids import InvitationId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import admin_as_of_now
from deepoj_user.commands.ports import Clock, RandomBytes, Store
from deepoj_user.commands.readable_secret import readable_secret


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInvitation:
    invitation_id: InvitationId
    uses: int
    expires_at: datetime | None
    note: str
    origin: Origin


class CreateInvitation:
    def __init__(self, store: Store, random_bytes: RandomBytes, clock: Clock) -> None:
        self._store = store
        self._random_bytes = random_bytes
        self._clock = clock

    async def __call__(
        self, claimed: Actor, new: NewInvitation
    ) -> Invitation | Refused[InvitationRefusal | AccountRefusal]:
        # 50 bits, as a mailed code; wrong ones count as tries.
        code = readable_secret(self._random_bytes, groups=2, size=5)
        invitation = invite(new.invitation_id, code, new.uses, new.expires_at, new.note, self._clock())
        async with self._store.transaction() as transaction:
            actor = await admin_as_of_now(transaction, claimed)
            if isinstance(actor, Refused):
                return actor
            if await transaction.invitations.count() >= MOST_INVITATIONS:
                return Refused(InvitationRefusal.TOO_MANY)
            if not await transaction.invitations.add(invitation):
                return Refused(InvitationRefusal.ID_TAKEN)
            detail = f"{invitation.id} for {invitation.uses_left}"
            await transaction.audit.add(AuditEvent.INVITATION_CREATED, actor.account_id, new.origin, detail)
            return invitation
