"""What the queries need from outside, sized to what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from deepoj_domain.account.account import Account, AccountStatus
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry, Origin
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.ids import AccountId, FamilyId
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Role

Clock = Callable[[], datetime]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    id: FamilyId
    started_at: datetime
    used_at: datetime
    """When its tokens were exchanged last."""
    origin: Origin


class Sessions(Protocol):
    async def of(self, account_id: AccountId, now: datetime) -> Sequence[Session]:
        """Return those that are not over, the one used last first."""
        ...


class Invitations(Protocol):
    async def all(self) -> Sequence[Invitation]:
        """The newest first."""
        ...


class AdminLogIns(Protocol):
    async def any(self) -> bool:
        """Say whether somebody who is an admin has ever logged in."""
        ...


@dataclass(frozen=True, slots=True)
class PublicKey:
    id: str
    pem: str


class SigningKeys(Protocol):
    async def public_keys(self) -> Sequence[PublicKey]: ...
