"""All invitations, for admins."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.account.invitation import Invitation
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_user.queries.access import QueryRefusal
from deepoj_user.queries.ports import Invitations


class ListInvitations:
    def __init__(self, invitations: Invitations) -> None:
        self._invitations = invitations

    async def __call__(self, actor: Actor) -> Sequence[Invitation] | Refused[QueryRefusal]:
        """The newest first."""
        if not actor.is_admin:
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._invitations.all()
