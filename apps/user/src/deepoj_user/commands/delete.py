"""The person is forgotten; the id stays, so that submissions and boards stay whole."""

from __future__ import annotations

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_user.commands.account_change import Administered, both, write_and_log_out
from deepoj_user.commands.ports import Clock, Store


class Delete:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(self, claimed: Actor, account_id: AccountId, origin: Origin) -> Administered:
        async with self._store.transaction() as transaction:
            found = await both(transaction, claimed, account_id)
            if isinstance(found, Refused):
                return found
            actor, account = found
            outcome = account.delete(actor, self._clock())
            if isinstance(outcome, Refused):
                return outcome
            if account.role is Role.ADMIN and not await transaction.accounts.has_admin(besides=account_id):
                return Refused(AccountRefusal.LAST_ADMIN)
            await transaction.audit.forget(account_id)
            await transaction.api_tokens.remove_all(account_id)
            # An owner who leaves leaves no address behind.
            where = Origin() if actor.account_id == account_id else origin
            detail = f"by {actor.account_id}"
            return await write_and_log_out(transaction, outcome, AuditEvent.DELETED, where, detail)
