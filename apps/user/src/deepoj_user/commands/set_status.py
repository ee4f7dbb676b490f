"""An admin suspends an account, or takes that back."""

from __future__ import annotations

from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import Administered, both, write_and_log_out
from deepoj_user.commands.ports import Clock, Store

_REASON_LENGTH = 500


class SetStatus:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def __call__(
        self, claimed: Actor, account_id: AccountId, reason: str, origin: Origin, *, active: bool
    ) -> Administered:
        if len(reason) > _REASON_LENGTH or not reason.isprintable():
            raise InvalidValueError(
                "reason_malformed", f"a reason is one line of {_REASON_LENGTH} characters"
            )
        async with self._store.transaction() as transaction:
            found = await both(transaction, claimed, account_id)
            if isinstance(found, Refused):
                return found
            actor, account = found
            outcome = account.set_active(active=active, by=actor, now=self._clock())
            done = "reinstated" if active else "suspended"
            detail = f"{done} by {actor.account_id}" + (f": {reason}" if reason else "")
            return await write_and_log_out(transaction, outcome, AuditEvent.STATUS_SET, origin, detail)
