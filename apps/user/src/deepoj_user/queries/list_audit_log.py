"""What happened to an account."""

from __future__ import annotations

from deepoj_domain.account.audit import AuditEntry
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.paging import Page, PageRequest
from deepoj_domain.kernel.role import Actor
from deepoj_user.queries.access import QueryRefusal, is_own_or_admin
from deepoj_user.queries.ports import AuditLog


class ListAuditLog:
    """The owner sees what happened to their account, an admin what happened to all."""

    def __init__(self, audit: AuditLog) -> None:
        self._audit = audit

    async def __call__(
        self, actor: Actor, account_id: AccountId | None, page: PageRequest
    ) -> Page[AuditEntry] | Refused[QueryRefusal]:
        allowed = actor.is_admin if account_id is None else is_own_or_admin(actor, account_id)
        if not allowed:
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._audit.list(account_id, page)
