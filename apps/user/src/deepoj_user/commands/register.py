"""An address proved by a code becomes an account."""

from __future__ import annotations

from dataclasses import dataclass, field

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import CaptchaPurpose
from deepoj_domain.account.personal import Personal, email_address, new_password, username
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Role
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.captcha_check import CaptchaCheck, CodeRefusal, spent
from deepoj_user.commands.ports import Clock, Passwords, Store, Taken, Throttled

RegisterOutcome = Account | Throttled | Refused[Taken | CodeRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterRequest:
    account_id: AccountId
    name: str
    email: str = field(repr=False)
    password: str = field(repr=False)
    captcha: str = field(repr=False)
    origin: Origin


class Register:
    def __init__(
        self, store: Store, captcha_check: CaptchaCheck, passwords: Passwords, gate: AttemptGate, clock: Clock
    ) -> None:
        self._store = store
        self._captcha_check = captcha_check
        self._passwords = passwords
        self._gate = gate
        self._clock = clock

    async def __call__(self, request: RegisterRequest) -> RegisterOutcome:
        name, email = username(request.name), email_address(request.email)
        password = new_password(request.password, name, email)
        now, buckets = self._clock(), self._gate.for_code(request.origin)
        if throttled := await self._gate.enter(buckets, now):
            return throttled
        async with self._store.transaction() as transaction:
            # Names are public; saying so before the code spares its owner a new one.
            if not await transaction.accounts.name_is_free(name):
                return Refused(Taken.NAME)
        purpose = CaptchaPurpose.REGISTER
        if refused := await self._captcha_check.why_not(purpose, email, request.captcha, request.origin, now):
            return refused
        hashed = await self._passwords.hash(password)
        personal = Personal(username=name, email=email, password=hashed)
        registered = Account.register(request.account_id, personal, Role.CONTESTANT, now)
        outcome = await self._store_account(request, registered)
        if isinstance(outcome, Account):
            await self._gate.forgive(buckets)
        return outcome

    async def _store_account(
        self, request: RegisterRequest, registered: Changed[Account]
    ) -> Account | Refused[Taken | CodeRefusal]:
        email, account = email_address(request.email), registered.after
        async with self._store.transaction() as transaction:
            captcha = await spent(
                transaction,
                CaptchaPurpose.REGISTER,
                email,
                request.captcha,
                request.origin,
                account.registered_at,
            )
            if isinstance(captcha, Refused):
                return captcha
            if taken := await transaction.accounts.add(registered):
                return Refused(taken)
            await transaction.captchas.put(captcha)
            await transaction.audit.add(AuditEvent.REGISTERED, account.id, request.origin)
            return account
