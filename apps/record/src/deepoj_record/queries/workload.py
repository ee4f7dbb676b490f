"""What waits, what runs and how fast, for operators; how full the queues are, for admission too."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from deepoj_domain.kernel.ids import SubmissionId
from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.submission.attempt import AttemptOutcome
from deepoj_domain.submission.route import Band, Lane
from deepoj_domain.submission.visibility import is_staff
from deepoj_record.queries.access import QueryRefusal
from deepoj_record.queries.ports import Clock, Queues, QueueState


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingGroup:
    lane: Lane
    band: Band
    language: LanguageSlug
    submissions: int
    oldest_wait: timedelta
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningJob:
    submission_id: SubmissionId
    language: LanguageSlug
    worker: str
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    per_minute: float
    wait_p50: timedelta | None
    wait_p95: timedelta | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    waiting: Sequence[WaitingGroup]
    running: Sequence[RunningJob]
    rates: Rates
    redis: bool
    objects: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerAttempt:
    submission_id: SubmissionId
    attempt_id: int
    worker: str
    language: LanguageSlug
    started_at: datetime
    ended_at: datetime | None
    outcome: AttemptOutcome | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerAttempts:
    attempts: Sequence[WorkerAttempt]
    cut: bool
    """There were more."""


class Attempts(Protocol):
    async def since(self, moment: datetime) -> WorkerAttempts:
        """Return those that had not ended then, in the order they began."""
        ...


class Work(Protocol):
    async def waiting(self, now: datetime) -> Sequence[WaitingGroup]: ...

    async def running(self) -> Sequence[RunningJob]: ...

    async def rates(self, now: datetime) -> Rates: ...


class Store(Protocol):
    async def is_there(self) -> bool: ...


class GetWorkload:
    def __init__(self, work: Work, redis: Store, objects: Store, clock: Clock) -> None:
        self._work = work
        self._redis = redis
        self._objects = objects
        self._clock = clock

    async def __call__(self, actor: Actor | None) -> Workload | Refused[QueryRefusal]:
        if not is_staff(actor):
            return Refused(QueryRefusal.NOT_ALLOWED)
        now = self._clock()
        waiting, running, rates, redis, objects = await asyncio.gather(
            self._work.waiting(now),
            self._work.running(),
            self._work.rates(now),
            self._redis.is_there(),
            self._objects.is_there(),
        )
        return Workload(waiting=waiting, running=running, rates=rates, redis=redis, objects=objects)


class ListAttempts:
    def __init__(self, attempts: Attempts, clock: Clock) -> None:
        self._attempts = attempts
        self._clock = clock

    async def __call__(
        self, actor: Actor | None, within: timedelta
    ) -> WorkerAttempts | Refused[QueryRefusal]:
        if not is_staff(actor):
            return Refused(QueryRefusal.NOT_ALLOWED)
        return await self._attempts.since(self._clock() - within)


class QueueStats:
    def __init__(self, queues: Queues, clock: Clock) -> None:
        self._queues = queues
        self._clock = clock

    async def __call__(self, actor: Actor | None) -> QueueState | Refused[QueryRefusal]:
        """Services ask for themselves, as an admin without an account."""
        return await self.state() if is_staff(actor) else Refused(QueryRefusal.NOT_ALLOWED)

    async def state(self) -> QueueState:
        return await self._queues.state(self._clock())
