"""Read models in memory, for tests. They pass the same contract suite as the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry
from deepoj_domain.account.invitation import Invitation
from deepoj_domain.account.session import RefreshToken
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.paging import Page, PageRequest, at_id, id_at, paged
from deepoj_user.queries.ports import AccountFilter, PublicKey, Session


@dataclass
class MemoryViews:
    accounts: Callable[[], Iterable[Account]]

    async def get(self, account_id: AccountId) -> Account | None:
        return next((each for each in self.accounts() if each.id == account_id), None)

    async def by_name(self, name: str) -> Account | None:
        for each in self.accounts():
            if each.personal and each.personal.username.lower() == name.lower():
                return each
        return None

    async def list(self, wanted: AccountFilter, page: PageRequest) -> Page[Account]:
        found = [each for each in sorted(self.accounts(), key=lambda each: each.id) if _fits(each, wanted)]
        rest = [each for each in found if page.after is None or each.id > id_at(page.after)]
        return paged(rest, page, lambda last: at_id(last.id))


def _fits(account: Account, wanted: AccountFilter) -> bool:
    return (
        (not wanted.ids or account.id in wanted.ids)
        and (not wanted.names or _is_named(account, wanted.names))
        and wanted.role in {None, account.role}
        and (not wanted.statuses or account.status in wanted.statuses)
        and _found(account, wanted.search.lower(), in_email=wanted.in_email)
    )


def _is_named(account: Account, names: Iterable[str]) -> bool:
    person = account.personal
    return person is not None and person.username.lower() in {name.lower() for name in names}


def _found(account: Account, search: str, *, in_email: bool) -> bool:
    person = account.personal
    if not search or person is None:
        return not search
    texts = [
        person.username,
        person.profile.display_name,
        *([person.email] if in_email and person.email else []),
    ]
    return any(text.lower().startswith(search) for text in texts)


@dataclass
class MemoryTokenViews:
    tokens: Callable[[], Iterable[ApiToken]]

    async def of(self, account_id: AccountId) -> Sequence[ApiToken]:
        return sorted(
            (each for each in self.tokens() if each.account_id == account_id), key=lambda each: each.id
        )


@dataclass
class MemorySessionViews:
    tokens: Callable[[], Iterable[RefreshToken]]
    accounts: Callable[[], Iterable[Account]]

    async def of(self, account_id: AccountId, now: datetime) -> Sequence[Session]:
        epoch = {each.id: each.session_epoch for each in self.accounts()}
        own = [
            each
            for each in self.tokens()
            if each.account_id == account_id
            and each.used_at is None
            and each.expires_at > now
            and each.session_epoch == epoch.get(account_id)
        ]
        return [
            Session(id=each.family, started_at=each.started_at, used_at=each.issued_at, origin=each.origin)
            for each in sorted(own, key=lambda each: each.issued_at, reverse=True)
        ]


@dataclass
class MemoryInvitationViews:
    invitations: Callable[[], Iterable[Invitation]]

    async def all(self) -> Sequence[Invitation]:
        return sorted(self.invitations(), key=lambda each: each.id, reverse=True)


@dataclass
class MemoryAdminLogIns:
    found: bool = False

    async def any(self) -> bool:
        return self.found


@dataclass
class MemoryAuditViews:
    entries: Sequence[AuditEntry] = ()

    async def list(self, account_id: AccountId | None, page: PageRequest) -> Page[AuditEntry]:
        newest_first = sorted(self.entries, key=lambda entry: entry.id, reverse=True)
        rest = [
            entry
            for entry in newest_first
            if account_id in {None, entry.account_id} and (page.after is None or entry.id < id_at(page.after))
        ]
        return paged(rest, page, lambda last: at_id(last.id))


@dataclass
class MemorySigningKeys:
    keys: Sequence[PublicKey] = ()

    async def public_keys(self) -> Sequence[PublicKey]:
        return self.keys
