"""An account with a made-up name, for who only wants to try. Its session is the only way into it."""

from __future__ import annotations

from dataclasses import dataclass

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.personal import Personal, username
from deepoj_domain.account.registration import RegistrationRefusal
from deepoj_domain.account.reserved_names import GUEST_PREFIX
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Role
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.ports import Clock, Passwords, RandomBytes, Store, Taken, Throttled
from deepoj_user.commands.readable_secret import generated_password, readable_secret
from deepoj_user.commands.session_tokens import SessionTokens, Tokens


@dataclass(frozen=True, slots=True)
class MakeGuest:
    store: Store
    allowed: bool
    passwords: Passwords
    session_tokens: SessionTokens
    gate: AttemptGate
    random_bytes: RandomBytes
    clock: Clock

    async def __call__(
        self, account_id: AccountId, origin: Origin
    ) -> Tokens | Throttled | Refused[RegistrationRefusal | Taken]:
        if not self.allowed:
            return Refused(RegistrationRefusal.NO_GUESTS)
        now = self.clock()
        if throttled := await self.gate.enter(self.gate.for_account(origin), now):
            return throttled
        name = username(GUEST_PREFIX + readable_secret(self.random_bytes, groups=1, size=8).lower())
        # Nobody is told it.
        hashed = await self.passwords.hash(generated_password(self.random_bytes))
        personal = Personal(username=name, email=None, password=hashed)
        registered = Account.register(account_id, personal, Role.CONTESTANT, now)
        async with self.store.transaction() as transaction:
            if taken := await transaction.accounts.add(registered):
                return Refused(taken)
            await transaction.audit.add(AuditEvent.REGISTERED, account_id, origin, "guest")
            opened = await self.session_tokens.open(transaction, registered.after, origin, now)
        return await self.session_tokens.sign(opened)
