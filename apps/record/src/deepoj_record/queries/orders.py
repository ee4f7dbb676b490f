"""What operators want of a worker besides its jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID

from deepoj_domain.kernel.ids import WorkerId
from deepoj_record.queries.ports import Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class DrainOrder:
    reason: str
    hand_back_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproductionOrder:
    reproduction_id: UUID
    question_id: UUID
    question_revision: int
    language: str
    source: str = field(repr=False)


class DrainOrders(Protocol):
    async def of(self, worker: WorkerId) -> DrainOrder | None:
        """Return the one that is about this worker, of several the one that hands back first."""
        ...


class ReproductionOrders(Protocol):
    async def of(self, worker: WorkerId, since: datetime) -> Sequence[ReproductionOrder]:
        """Return what this worker has not answered."""
        ...


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
    def __init__(
        self, drains: DrainOrders, reproductions: ReproductionOrders, patience: timedelta, clock: Clock
    ) -> None:
        self._drains = drains
        self._reproductions = reproductions
        self._patience = patience
        self._clock = clock

    async def __call__(self, worker: WorkerId) -> Orders:
        now = self._clock()
        drain = await self._drains.of(worker)
        told = (
            None if drain is None else WorkerDrain(drain.reason, max(timedelta(0), drain.hand_back_at - now))
        )
        return Orders(told, await self._reproductions.of(worker, now - self._patience))
