"""An admin gives somebody a new password who cannot prove an address; whoever held the old one is out."""

from __future__ import annotations

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.commands.account_change import admin_as_of_now, both, write_and_log_out
from deepoj_user.commands.ports import Clock, Passwords, RandomBytes, Store
from deepoj_user.commands.readable_secret import generated_password


class ResetPassword:
    def __init__(self, store: Store, passwords: Passwords, random_bytes: RandomBytes, clock: Clock) -> None:
        self._store = store
        self._passwords = passwords
        self._random_bytes = random_bytes
        self._clock = clock

    async def __call__(
        self, claimed: Actor, account_id: AccountId, origin: Origin
    ) -> str | Refused[AccountRefusal]:
        """Return the password."""
        async with self._store.transaction() as transaction:
            admin = await admin_as_of_now(transaction, claimed)
        if isinstance(admin, Refused):
            return admin
        password = generated_password(self._random_bytes)
        hashed = await self._passwords.hash(password)
        async with self._store.transaction() as transaction:
            found = await both(transaction, claimed, account_id)
            if isinstance(found, Refused):
                return found
            actor, account = found
            outcome = account.reset_password(hashed, actor, self._clock())
            detail = f"by {actor.account_id}"
            written = await write_and_log_out(transaction, outcome, AuditEvent.PASSWORD_RESET, origin, detail)
            if isinstance(written, Refused):
                return written
            await transaction.api_tokens.remove_all(account_id)
        return password
