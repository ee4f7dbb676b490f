"""Many accounts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from deepoj_domain.account.account import AccountStatus
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import MAX_SIZE, Page, PageRequest
from deepoj_domain.kernel.role import Actor, Role
from deepoj_user.queries.access import AccountView, QueryRefusal, shown
from deepoj_user.queries.ports import AccountFilter, Accounts

_SEARCH_LENGTH: Final = 254
_TO_ALL: Final = frozenset({AccountStatus.ACTIVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRequest:
    search: str = ""
    role: Role | None = None
    status: AccountStatus | None = None
    ids: frozenset[AccountId] = frozenset()
    names: frozenset[str] = frozenset()


class List:
    """A guest may put names to ids, an account may look for others, an admin may see them all."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def __call__(
        self, actor: Actor | None, request: ListRequest, page: PageRequest
    ) -> Page[AccountView] | Refused[QueryRefusal]:
        if len(request.search) > _SEARCH_LENGTH or "\0" in request.search:
            raise InvalidValueError("search_malformed", f"search for at most {_SEARCH_LENGTH} characters")
        if len(request.names) > MAX_SIZE or any("\0" in name for name in request.names):
            raise InvalidValueError("names_malformed", f"ask for at most {MAX_SIZE} names at once")
        if len(request.ids) > MAX_SIZE:
            raise InvalidValueError("too_many_ids", f"ask for at most {MAX_SIZE} accounts at once")
        if actor is None and not request.ids:
            return Refused(QueryRefusal.SIGN_IN_REQUIRED)
        is_admin = actor is not None and actor.is_admin
        if not is_admin and (request.role or request.status):
            return Refused(QueryRefusal.NOT_ALLOWED)
        statuses = frozenset({request.status}) if request.status else frozenset[AccountStatus]()
        wanted = AccountFilter(
            search=request.search,
            in_email=is_admin,
            role=request.role,
            statuses=statuses if is_admin or request.ids else _TO_ALL,
            ids=request.ids,
            names=request.names,
        )
        found = await self._accounts.list(wanted, page)
        return Page([shown(account, actor) for account in found.items], found.next)
