"""Somebody who is signed in sets a new password, with the old one; every other session is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from deepoj_domain.account.account import Account, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.personal import PasswordHash, new_password
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.log_in import LogInRefusal
from deepoj_user.commands.ports import Clock, Passwords, Store, Throttled
from deepoj_user.commands.session_tokens import Opened, SessionTokens, Tokens

ReplaceRefusal = LogInRefusal | AccountRefusal


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplacePasswordRequest:
    account_id: AccountId
    password: str = field(repr=False)
    new_password: str = field(repr=False)
    origin: Origin


class ReplacePassword:
    def __init__(
        self,
        store: Store,
        passwords: Passwords,
        session_tokens: SessionTokens,
        gate: AttemptGate,
        clock: Clock,
    ) -> None:
        self._store = store
        self._passwords = passwords
        self._session_tokens = session_tokens
        self._gate = gate
        self._clock = clock

    async def __call__(self, request: ReplacePasswordRequest) -> Tokens | Throttled | Refused[ReplaceRefusal]:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(request.account_id)
        if account is None or account.personal is None:
            return Refused(AccountRefusal.NOT_FOUND)
        person = account.personal
        password = new_password(request.new_password, person.username, person.email or "")
        now, buckets = self._clock(), self._gate.for_log_in(person.username, request.origin)
        if throttled := await self._gate.enter(buckets, now):
            return throttled
        if not (await self._passwords.verify(request.password, person.password)).is_right:
            async with self._store.transaction() as transaction:
                await transaction.audit.add(AuditEvent.LOG_IN_FAILED, account.id, request.origin)
            return Refused(LogInRefusal.BAD_CREDENTIALS)
        opened = await self._replace(account, await self._passwords.hash(password), request.origin, now)
        if isinstance(opened, Refused):
            return opened
        await self._gate.forgive(buckets)
        return await self._session_tokens.sign(opened)

    async def _replace(
        self, seen: Account, hashed: PasswordHash, origin: Origin, now: datetime
    ) -> Opened | Refused[ReplaceRefusal]:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(seen.id)
            if account is None or account.personal != seen.personal:
                # Changed while we were hashing.
                return Refused(LogInRefusal.BAD_CREDENTIALS)
            outcome = account.change_password(hashed, now)
            if isinstance(outcome, Refused):
                return outcome
            await transaction.accounts.save(outcome)
            await transaction.sessions.end_all(account.id)
            await transaction.api_tokens.remove_all(account.id)
            await transaction.audit.add(AuditEvent.PASSWORD_CHANGED, account.id, origin)
            return await self._session_tokens.open(transaction, outcome.after, origin, now)
