"""A name or address and a password become a session. Every failure looks and takes the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from deepoj_domain.account.account import Account, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.personal import PasswordHash
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.ports import Clock, Directory, Passwords, Store, Throttled
from deepoj_user.commands.session_tokens import Opened, SessionTokens, Tokens

_LONGEST: Final = 256


class LogInRefusal(StrEnum):
    BAD_CREDENTIALS = "bad_credentials"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInRequest:
    login: str = field(repr=False)
    password: str = field(repr=False)
    origin: Origin


LogInOutcome = Tokens | Throttled | Refused[LogInRefusal | AccountRefusal]


class LogIn:
    def __init__(
        self,
        store: Store,
        directory: Directory,
        passwords: Passwords,
        session_tokens: SessionTokens,
        gate: AttemptGate,
        clock: Clock,
    ) -> None:
        self._store = store
        self._directory = directory
        self._passwords = passwords
        self._session_tokens = session_tokens
        self._gate = gate
        self._clock = clock

    async def __call__(self, request: LogInRequest) -> LogInOutcome:
        if max(len(request.login), len(request.password)) > _LONGEST or "\0" in request.login:
            raise InvalidValueError("credentials_malformed", f"at most {_LONGEST} characters, and no NUL")
        now = self._clock()
        buckets = self._gate.for_log_in(request.login, request.origin)
        if throttled := await self._gate.enter(buckets, now):
            return throttled
        account = await self._directory.by_login(request.login.strip())
        hashed = account.personal.password if account and account.personal else None
        verified = await self._passwords.verify(request.password, hashed)
        if account is None or hashed is None or not verified.is_right:
            return await self._failed(account.id if account else None, request.origin)
        renewed = await self._passwords.hash(request.password) if verified.is_outdated else hashed
        opened = await self._open(account, hashed, renewed, request.origin, now)
        if isinstance(opened, Refused):
            return opened
        await self._gate.forgive(buckets)
        return await self._session_tokens.sign(opened)

    async def _open(
        self, seen: Account, hashed: PasswordHash, renewed: PasswordHash, origin: Origin, now: datetime
    ) -> Opened | Refused[LogInRefusal | AccountRefusal]:
        async with self._store.transaction() as transaction:
            account = await transaction.accounts.get(seen.id)
            if account is None or account.personal is None or account.personal.password != hashed:
                # Changed while we were hashing.
                return Refused(LogInRefusal.BAD_CREDENTIALS)
            if refusal := account.why_no_log_in():
                await transaction.audit.add(AuditEvent.LOG_IN_REFUSED, account.id, origin, refusal)
                return Refused(refusal)
            if renewed != hashed:
                account = account.rehash(renewed)
                await transaction.accounts.save(Changed(account))
            await transaction.audit.add(AuditEvent.LOGGED_IN, account.id, origin)
            return await self._session_tokens.open(transaction, account, origin, now)

    async def _failed(self, account_id: AccountId | None, origin: Origin) -> Refused[LogInRefusal]:
        async with self._store.transaction() as transaction:
            await transaction.audit.add(AuditEvent.LOG_IN_FAILED, account_id, origin)
        return Refused(LogInRefusal.BAD_CREDENTIALS)
