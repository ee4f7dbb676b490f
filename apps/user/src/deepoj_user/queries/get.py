"""One account."""

from __future__ import annotations

from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.queries.access import AccountView, QueryRefusal, shown
from deepoj_user.queries.ports import Accounts


class Get:
    """Anybody may see a profile; a deleted account is still known by its id, as boards name it."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def __call__(
        self, actor: Actor | None, key: AccountId | str
    ) -> AccountView | Refused[QueryRefusal]:
        found = await (self._accounts.by_name(key) if isinstance(key, str) else self._accounts.get(key))
        return Refused(QueryRefusal.NOT_FOUND) if found is None else shown(found, actor)
