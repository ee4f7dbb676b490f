"""An admin gives somebody a role."""

from __future__ import annotations

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_user.commands.account_change import Administered, both, write_and_log_out
from deepoj_user.commands.ports import Clock, Store


class SetRole:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, claimed: Actor, account_id: AccountId, role: Role, origin: Origin
    ) -> Administered:
        async with self._store.transaction() as transaction:
            found = await both(transaction, claimed, account_id)
            if isinstance(found, Refused):
                return found
            actor, account = found
            outcome = account.set_role(role, actor, self._clock())
            detail = f"{account.role} to {role} by {actor.account_id}"
            return await write_and_log_out(transaction, outcome, AuditEvent.ROLE_SET, origin, detail)
