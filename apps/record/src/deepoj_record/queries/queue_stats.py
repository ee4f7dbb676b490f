"""How full the queues are, for admission and for operators."""

from __future__ import annotations

from deepoj_record.queries.ports import Clock, Queues, QueueState


class QueueStats:
    def __init__(self, queues: Queues, clock: Clock) -> None:
        self._queues = queues
        self._clock = clock

    async def __call__(self) -> QueueState:
        return await self._queues.state(self._clock())
