"""Read models in memory, for tests. They pass the same contract suite as the real ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from deepoj_domain.account.account import Account
from deepoj_domain.account.api_token import ApiToken
from deepoj_domain.account.audit import AuditEntry
from deepoj_domain.kernel.ids import AccountId
from deepoj_user.queries.paging import Page, PageRequest
from deepoj_user.queries.ports import AccountFilter, PublicKey


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
        rest = [each for each in found if page.after is None or each.id > page.after]
        items = rest[: page.size]
        return Page(items, str(items[-1].id) if len(rest) > page.size else "")


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
    texts = [person.username, person.profile.display_name, *([person.email] if in_email else [])]
    return any(text.lower().startswith(search) for text in texts)


@dataclass
class MemoryTokenViews:
    tokens: Callable[[], Iterable[ApiToken]]

    async def of(self, account_id: AccountId) -> Sequence[ApiToken]:
        return sorted(
            (each for each in self.tokens() if each.account_id == account_id), key=lambda each: each.id
        )


@dataclass
class MemoryAuditViews:
    entries: Sequence[AuditEntry] = ()

    async def list(self, account_id: AccountId | None, page: PageRequest) -> Page[AuditEntry]:
        newest_first = sorted(self.entries, key=lambda entry: entry.id, reverse=True)
        rest = [
            entry
            for entry in newest_first
            if account_id in {None, entry.account_id} and (page.after is None or entry.id < page.after)
        ]
        items = rest[: page.size]
        return Page(items, str(items[-1].id) if len(rest) > page.size else "")


@dataclass
class MemorySigningKeys:
    keys: Sequence[PublicKey] = ()

    async def public_keys(self) -> Sequence[PublicKey]:
        return self.keys
