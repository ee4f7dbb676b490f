"""An address proved by a code gets a new password; whoever held the old one is out, with their tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from deepoj_domain.account.account import AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.account.personal import PasswordHash, email_address, new_password
from deepoj_domain.kernel.outcome import Refused
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.captcha_check import CaptchaCheck, CodeRefusal, spent
from deepoj_user.commands.ports import Clock, Passwords, Store, Throttled


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePasswordRequest:
    email: str = field(repr=False)
    captcha: str = field(repr=False)
    password: str = field(repr=False)
    origin: Origin


class ChangePassword:
    def __init__(
        self, store: Store, captcha_check: CaptchaCheck, passwords: Passwords, gate: AttemptGate, clock: Clock
    ) -> None:
        self._store = store
        self._captcha_check = captcha_check
        self._passwords = passwords
        self._gate = gate
        self._clock = clock

    async def __call__(
        self, request: ChangePasswordRequest
    ) -> Throttled | Refused[AccountRefusal | CodeRefusal] | None:
        email = email_address(request.email)
        password = new_password(request.password, "", email)
        now, buckets = self._clock(), self._gate.for_code(request.origin)
        if throttled := await self._gate.enter(buckets, now):
            return throttled
        purpose = CaptchaPurpose.CHANGE_PASSWORD
        if refused := await self._captcha_check.why_not(purpose, email, request.captcha, request.origin, now):
            return refused
        outcome = await self._change(request, await self._passwords.hash(password), now)
        if outcome is None:
            await self._gate.forgive(buckets)
        return outcome

    async def _change(
        self, request: ChangePasswordRequest, hashed: PasswordHash, now: datetime
    ) -> Refused[AccountRefusal | CodeRefusal] | None:
        email = email_address(request.email)
        async with self._store.transaction() as transaction:
            captcha = await spent(
                transaction, CaptchaPurpose.CHANGE_PASSWORD, email, request.captcha, request.origin, now
            )
            if isinstance(captcha, Refused):
                return captcha
            account = await transaction.accounts.by_email(email)
            if account is None:
                return Refused(AccountRefusal.NOT_FOUND)
            outcome = account.change_password(hashed, now)
            if isinstance(outcome, Refused):
                return outcome
            await transaction.accounts.save(outcome)
            await transaction.captchas.put(captcha)
            await transaction.sessions.end_all(account.id)
            await transaction.api_tokens.remove_all(account.id)
            await transaction.audit.add(AuditEvent.PASSWORD_CHANGED, account.id, request.origin)
            return None
