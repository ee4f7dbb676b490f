"""Somebody opens an account, by the way in that this site has."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.captcha import Captcha, CaptchaPurpose
from deepoj_domain.account.invitation import Invitation, InvitationRefusal
from deepoj_domain.account.personal import (
    EmailAddress,
    Personal,
    Profile,
    Username,
    email_address,
    new_password,
    username,
)
from deepoj_domain.account.registration import RegistrationMode, RegistrationRefusal
from deepoj_domain.account.reserved_names import chosen_display_name, chosen_username
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.role import Role
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.captcha_check import CaptchaCheck, CodeRefusal, spent
from deepoj_user.commands.ports import Clock, Passwords, Store, Taken, Throttled, Transaction
from deepoj_user.commands.session_tokens import Opened, SessionTokens, Tokens

RegisterRefusal = Taken | CodeRefusal | InvitationRefusal | RegistrationRefusal
RegisterOutcome = Account | Tokens | Throttled | Refused[RegisterRefusal]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterRequest:
    account_id: AccountId
    name: str
    password: str = field(repr=False)
    display_name: str = ""
    email: str = field(default="", repr=False)
    """Stored only when a code proves it."""
    captcha: str = field(default="", repr=False)
    invitation: str = field(default="", repr=False)
    sign_in: bool = False
    origin: Origin


@dataclass(frozen=True, slots=True)
class _Newcomer:
    request: RegisterRequest
    name: Username
    email: EmailAddress | None
    profile: Profile
    password: str = field(repr=False)


class Register:
    def __init__(
        self,
        store: Store,
        mode: RegistrationMode,
        captcha_check: CaptchaCheck,
        passwords: Passwords,
        session_tokens: SessionTokens,
        gate: AttemptGate,
        clock: Clock,
    ) -> None:
        self._store = store
        self._mode = mode
        self._captcha_check = captcha_check
        self._passwords = passwords
        self._session_tokens = session_tokens
        self._gate = gate
        self._clock = clock

    async def __call__(self, request: RegisterRequest) -> RegisterOutcome:
        if self._mode is RegistrationMode.CLOSED:
            return Refused(RegistrationRefusal.CLOSED)
        newcomer = self._newcomer(request)
        now, tries = self._clock(), self._gate.for_code(request.origin)
        if throttled := await self._gate.enter(tries, now):
            return throttled
        if refused := await self._why_not(newcomer, now):
            return refused
        if throttled := await self._enter(newcomer, now):
            return throttled
        hashed = await self._passwords.hash(newcomer.password)
        personal = Personal(
            username=newcomer.name, email=newcomer.email, password=hashed, profile=newcomer.profile
        )
        registered = Account.register(request.account_id, personal, Role.CONTESTANT, now)
        outcome = await self._store_account(newcomer, registered, now)
        if isinstance(outcome, Refused):
            return outcome
        await self._gate.forgive(tries)
        return await self._session_tokens.sign(outcome) if isinstance(outcome, Opened) else outcome

    def _newcomer(self, request: RegisterRequest) -> _Newcomer:
        name = username(chosen_username(request.name))
        by_mail = self._mode is RegistrationMode.MAIL
        email = email_address(request.email) if request.email or by_mail else None
        profile = Profile(display_name=chosen_display_name(request.display_name))
        return _Newcomer(request, name, email, profile, new_password(request.password, name, email or ""))

    async def _why_not(self, newcomer: _Newcomer, now: datetime) -> Refused[RegisterRefusal] | None:
        """Look at what can be refused before a hash is paid for."""
        request = newcomer.request
        async with self._store.transaction() as transaction:
            # Names are public; saying so before the code spares its owner a new one.
            if not await transaction.accounts.name_is_free(newcomer.name):
                return Refused(Taken.NAME)
            invitation = await self._invitation(transaction, request, now)
            if isinstance(invitation, Refused):
                return invitation
        if newcomer.email is None:
            return None
        return await self._captcha_check.why_not(
            CaptchaPurpose.REGISTER, newcomer.email, request.captcha, request.origin, now
        )

    async def _enter(self, newcomer: _Newcomer, now: datetime) -> Throttled | None:
        """Who proved an address, or was invited, was counted there."""
        if newcomer.email is not None or self._mode is RegistrationMode.INVITATION:
            return None
        return await self._gate.enter(self._gate.for_account(newcomer.request.origin), now)

    async def _invitation(
        self, transaction: Transaction, request: RegisterRequest, now: datetime
    ) -> Invitation | Refused[InvitationRefusal] | None:
        """Return the used invitation, for the caller to save; None where none is needed."""
        if self._mode is not RegistrationMode.INVITATION:
            return None
        invitation = await transaction.invitations.by_code(request.invitation.strip().upper())
        used = None if invitation is None else invitation.used(now)
        return Refused(InvitationRefusal.REFUSED) if used is None else used

    async def _store_account(
        self, newcomer: _Newcomer, registered: Changed[Account], now: datetime
    ) -> Account | Opened | Refused[RegisterRefusal]:
        request, account = newcomer.request, registered.after
        async with self._store.transaction() as transaction:
            captcha = await self._captcha(transaction, newcomer, now)
            if isinstance(captcha, Refused):
                return captcha
            invitation = await self._invitation(transaction, request, now)
            if isinstance(invitation, Refused):
                return invitation
            if taken := await transaction.accounts.add(registered):
                return Refused(taken)
            if captcha is not None:
                await transaction.captchas.put(captcha)
            if invitation is not None:
                await transaction.invitations.save(invitation)
            await transaction.audit.add(AuditEvent.REGISTERED, account.id, request.origin)
            if not request.sign_in:
                return account
            await transaction.audit.add(AuditEvent.LOGGED_IN, account.id, request.origin)
            return await self._session_tokens.open(transaction, account, request.origin, now)

    async def _captcha(
        self, transaction: Transaction, newcomer: _Newcomer, now: datetime
    ) -> Captcha | Refused[CodeRefusal] | None:
        if newcomer.email is None:
            return None
        request, purpose = newcomer.request, CaptchaPurpose.REGISTER
        return await spent(transaction, purpose, newcomer.email, request.captcha, request.origin, now)
