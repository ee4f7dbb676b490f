"""Accounts that somebody makes for others: an admin any, setters and judges contestants without addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from deepoj_domain.account.account import Account, AccountRefusal
from deepoj_domain.account.audit import AuditEvent, Origin
from deepoj_domain.account.personal import (
    EmailAddress,
    Personal,
    Profile,
    Username,
    email_address,
    new_password,
    username,
)
from deepoj_domain.account.reserved_names import chosen_display_name, chosen_username
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor, Role
from deepoj_user.commands.account_change import as_of_now
from deepoj_user.commands.attempt_limits import AttemptGate
from deepoj_user.commands.ports import (
    Clock,
    Directory,
    Passwords,
    RandomBytes,
    Store,
    Taken,
    Throttled,
)
from deepoj_user.commands.readable_secret import generated_password

MOST_AT_ONCE: Final = 50


class CreationOutcome(StrEnum):
    CREATED = "created"
    EXISTS = "exists"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    account_id: AccountId
    name: str
    display_name: str = ""
    email: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    role: Role = Role.CONTESTANT


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    outcome: CreationOutcome
    reason: str = ""
    account_id: AccountId | None = None
    password: str = field(default="", repr=False)
    """When it was made here."""


class CreateAccounts:
    def __init__(
        self,
        store: Store,
        directory: Directory,
        passwords: Passwords,
        gate: AttemptGate,
        random_bytes: RandomBytes,
        clock: Clock,
    ) -> None:
        self._store = store
        self._directory = directory
        self._passwords = passwords
        self._gate = gate
        self._random_bytes = random_bytes
        self._clock = clock

    async def __call__(
        self, claimed: Actor, accounts: Sequence[NewAccount], origin: Origin, *, dry_run: bool = False
    ) -> list[Creation] | Throttled | Refused[AccountRefusal]:
        """Make each by itself: when all of it is repeated, those that were made are found by their names."""
        if len(accounts) > MOST_AT_ONCE:
            raise InvalidValueError("too_many_accounts", f"make at most {MOST_AT_ONCE} accounts at once")
        async with self._store.transaction() as transaction:
            actor = await as_of_now(transaction, claimed)
        if isinstance(actor, Refused):
            return actor
        if actor.role is Role.CONTESTANT:
            return Refused(AccountRefusal.NOT_ADMIN)
        made = []
        for new in accounts:
            creation = await self._one(actor, new, origin, dry_run=dry_run)
            if isinstance(creation, Throttled):
                return creation
            made.append(creation)
        return made

    async def _one(
        self, actor: Actor, new: NewAccount, origin: Origin, *, dry_run: bool
    ) -> Creation | Throttled:
        password = new.password or generated_password(self._random_bytes)
        try:
            wanted = _wanted(actor, new, password)
        except InvalidValueError as error:
            return Creation(outcome=CreationOutcome.REFUSED, reason=error.code)
        there = await self._there(wanted)
        if there is not None or dry_run:
            return there or Creation(outcome=CreationOutcome.CREATED)
        if throttled := await self._gate.enter(self._gate.for_account_by(actor), self._clock()):
            return throttled
        made = await self._make(actor, new, wanted, password, origin)
        generated = made.outcome is CreationOutcome.CREATED and not new.password
        return replace(made, password=password) if generated else made

    async def _there(self, wanted: _Wanted) -> Creation | None:
        """Return what stands in the way already."""
        if (found := await self._directory.by_login(wanted.name)) is not None:
            return Creation(outcome=CreationOutcome.EXISTS, account_id=found.id)
        if wanted.email is not None and await self._directory.by_login(wanted.email) is not None:
            return Creation(outcome=CreationOutcome.REFUSED, reason=Taken.EMAIL)
        return None

    async def _make(
        self, actor: Actor, new: NewAccount, wanted: _Wanted, password: str, origin: Origin
    ) -> Creation:
        hashed = await self._passwords.hash(password)
        personal = Personal(username=wanted.name, email=wanted.email, password=hashed, profile=wanted.profile)
        registered = Account.register(new.account_id, personal, new.role, self._clock())
        async with self._store.transaction() as transaction:
            if taken := await transaction.accounts.add(registered):
                return Creation(outcome=CreationOutcome.REFUSED, reason=taken)
            detail = f"{new.role} by {actor.account_id}"
            await transaction.audit.add(AuditEvent.ACCOUNT_CREATED, new.account_id, origin, detail)
        return Creation(outcome=CreationOutcome.CREATED, account_id=new.account_id)


@dataclass(frozen=True, slots=True)
class _Wanted:
    name: Username
    email: EmailAddress | None
    profile: Profile


def _wanted(actor: Actor, new: NewAccount, password: str) -> _Wanted:
    """Return what was asked for, or refuse it by name."""
    if not actor.is_admin:
        if new.role is not Role.CONTESTANT:
            raise InvalidValueError("role_not_allowed", "only an admin gives another role")
        if new.email:
            # That an address is taken would tell who has an account.
            raise InvalidValueError("email_not_allowed", "only an admin vouches for an address")
        chosen_username(new.name)
        chosen_display_name(new.display_name)
    name = username(new.name)
    email = email_address(new.email) if new.email else None
    new_password(password, name, email or "")
    return _Wanted(name, email, Profile(display_name=new.display_name))
