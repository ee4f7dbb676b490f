"""How full the queues are, for admission and for operators."""

from __future__ import annotations

from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.ports import Clock, Queues, QueueState


class QueueStats:
    def __init__(self, queues: Queues, clock: Clock) -> None:
        self._queues = queues
        self._clock = clock

    async def __call__(self, actor: Actor | None) -> QueueState | Refused[QueryRefusal]:
        """Services ask for themselves, as an admin without an account."""
        return await self.state() if is_staff(actor) else Refused(QueryRefusal.NOT_ALLOWED)

    async def state(self) -> QueueState:
        return await self._queues.state(self._clock())
