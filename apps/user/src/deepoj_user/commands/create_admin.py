"""The first admin, whom nobody could have appointed; later ones get the role from another admin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from deepoj_domain.account.account import Account
from deepoj_domain.account.audit import AuditEvent
from deepoj_domain.account.personal import Personal, email_address, new_password, username
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Role
from deepoj_user.commands.ports import Clock, NewId, Passwords, Store, Taken


class CreateAdminRefusal(StrEnum):
    HAS_ADMIN = "has_admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAdmin:
    name: str
    email: str = field(repr=False)
    password: str = field(repr=False)


class CreateAdmin:
    def __init__(self, store: Store, passwords: Passwords, clock: Clock, new_id: NewId) -> None:
        self._store = store
        self._passwords = passwords
        self._clock = clock
        self._new_id = new_id

    async def __call__(
        self, new: NewAdmin, *, only_first: bool = False, keep: Callable[[NewAdmin], None] = lambda _: None
    ) -> Account | Refused[Taken | CreateAdminRefusal]:
        """`keep` writes the password down before the account exists, so that it cannot be lost."""
        name, email = username(new.name), email_address(new.email)
        hashed = await self._passwords.hash(new_password(new.password, name, email))
        personal = Personal(username=name, email=email, password=hashed)
        registered = Account.register(AccountId(self._new_id()), personal, Role.ADMIN, self._clock())
        async with self._store.transaction() as transaction:
            if only_first and await transaction.accounts.has_admin():
                return Refused(CreateAdminRefusal.HAS_ADMIN)
            if taken := await transaction.accounts.add(registered):
                return Refused(taken)
            await transaction.audit.add(AuditEvent.ADMIN_CREATED, registered.after.id)
            keep(new)
            return registered.after
