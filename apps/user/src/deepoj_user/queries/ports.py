"""What the queries need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFilter:
    search: str = ""
    """The beginning of a name or display name."""
    in_email: bool = False
    """Search in e-mail addresses as well."""
    role: Role | None = None
    statuses: frozenset[AccountStatus] = frozenset()
    """Empty: any."""
    ids: frozenset[AccountId] = frozenset()
    """Empty: any."""
    names: frozenset[str] = frozenset()
    """Whole, in any case; empty: any."""


class Accounts(Protocol):
    async def get(self, account_id: AccountId) -> Account | None: ...

    async def by_name(self, name: str) -> Account | None: ...

    async def list(self, wanted: AccountFilter, page: PageRequest) -> Page[Account]: ...


class ApiTokens(Protocol):
    async def of(self, account_id: AccountId) -> Sequence[ApiToken]: ...


class AuditLog(Protocol):
    async def list(self, account_id: AccountId | None, page: PageRequest) -> Page[AuditEntry]:
        """Newest first; None: everybody's."""
        ...


@dataclass(frozen=True, slots=True)
class PublicKey:
    id: str
    pem: str


class SigningKeys(Protocol):
    async def public_keys(self) -> Sequence[PublicKey]: ...
