"""What operators want of a worker besides its jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from deepoj_domain.kernel.ids import WorkerId
from deepoj_record.commands.drains import Drains
from deepoj_record.commands.reproductions import PATIENCE, ReproductionOrder, Reproductions
from deepoj_record.queries.ports import Clock


@dataclass(frozen=True, slots=True)
class WorkerDrain:
    """As the worker is told, whose clock may be another."""

    reason: str
    hand_back_in: timedelta


@dataclass(frozen=True, slots=True)
class Orders:
    drain: WorkerDrain | None
    reproductions: Sequence[ReproductionOrder]


class GetOrders:
    def __init__(self, drains: Drains, reproductions: Reproductions, clock: Clock) -> None:
        self._drains = drains
        self._reproductions = reproductions
        self._clock = clock

    async def __call__(self, worker: WorkerId) -> Orders:
        now = self._clock()
        drain = await self._drains.of(worker)
        told = (
            None if drain is None else WorkerDrain(drain.reason, max(timedelta(0), drain.hand_back_at - now))
        )
        return Orders(told, await self._reproductions.of(worker, now - PATIENCE))
