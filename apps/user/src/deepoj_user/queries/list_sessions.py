"""The sessions of an account."""

from __future__ import annotations

from collections.abc import Sequence

from deepoj_domain.kernel.role import Actor
from deepoj_user.queries.ports import Clock, Session, Sessions


class ListSessions:
    def __init__(self, sessions: Sessions, clock: Clock) -> None:
        self._sessions = sessions
        self._clock = clock

    async def __call__(self, actor: Actor) -> Sequence[Session]:
        """One's own, the one used last first."""
        return await self._sessions.of(actor.account_id, self._clock())
