"""How busy the system and an account are: what admission is told, and for how long that is believed."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol
from uuid import UUID

import msgspec
from cachetools import LRUCache
from redis.asyncio import Redis

from deepoj_bff.commands.admission_gate import KnownLoad
from deepoj_bff.queries.services import Call, Services
from deepoj_domain.admission.decide import AccountLoad, SystemState
from deepoj_domain.kernel.ids import AccountId
from deepoj_domain.kernel.role import Actor, Role
from deepoj_kit.grpc import RemoteError
from deepoj_kit.single_flight import SingleFlight
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable


class _Load(msgspec.Struct):
    in_flight: int
    submitted_today: int


class _Queue(msgspec.Struct):
    waiting: int


class _Queues(msgspec.Struct):
    queues: list[_Queue]


_DEADLINE: Final = timedelta(seconds=2)
ACCOUNT_LOAD: Final = Call("record", "AccountLoad", _Load, _DEADLINE)
QUEUE_STATS: Final = Call("record", "QueueStats", _Queues, _DEADLINE)
# A service that asks for itself.
_OURSELVES: Final = Actor(AccountId(UUID(int=0)), Role.ADMIN)


@dataclass(frozen=True, slots=True)
class RecordLoad:
    """How busy an account and the queues are, as record says."""

    services: Services

    async def load(self, account_id: AccountId) -> AccountLoad:
        found = await self.services.call(ACCOUNT_LOAD, account_id=account_id)
        return AccountLoad(found.in_flight, found.submitted_today)

    async def waiting(self) -> int:
        """Return how many submissions wait in all queues."""
        found = await self.services.call(QUEUE_STATS, actor=_OURSELVES)
        return sum(queue.waiting for queue in found.queues)


class RedisLiveWorkers:
    """How many judge workers are alive, from the set in which they announce themselves."""

    def __init__(self, redis: Redis, env: str, clock: Callable[[], datetime]) -> None:
        self._redis = redis
        self._names = f"deepoj:{env}:workers"
        self._clock = clock

    async def count(self) -> int:
        # A worker's score is the moment until which it is to be taken for alive.
        with translated():
            return int(await self._redis.zcount(self._names, self._clock().timestamp(), "+inf"))


class ToldLoad(Protocol):
    async def load(self, account_id: AccountId) -> AccountLoad: ...


@dataclass(slots=True)
class _Question:
    """One question to record, its answer, and how many submissions record was given since it was asked."""

    asked_at: datetime
    answer: AccountLoad | None = None
    believed_until: float = float("inf")
    given: int = 0


@dataclass(slots=True)
class _Known:
    question: _Question
    answer: AccountLoad
    was_remembered: bool
    is_doubted: bool = False

    @property
    def asked_at(self) -> datetime:
        return self.question.asked_at

    @property
    def given(self) -> int:
        return self.question.given

    @property
    def is_doubtful(self) -> bool:
        # What record was given while it counted may be counted twice.
        return self.was_remembered or self.is_doubted or self.question.given > 0

    def doubt(self) -> None:
        self.is_doubted = True

    def with_more(self, more: int) -> AccountLoad:
        return AccountLoad(self.answer.in_flight + more, self.answer.submitted_today + more)


class RecentAccountLoads:
    """How many submissions of an account are in flight and came today: believed for a second.

    What record was given meanwhile is added, so a burst costs one question to record.
    """

    def __init__(
        self,
        record: ToldLoad,
        clock: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
        believe_seconds: float = 1.0,
        most: int = 10_000,
    ) -> None:
        self._record = record
        self._clock = clock
        self._monotonic = monotonic
        self._believe_seconds = believe_seconds
        self._questions: LRUCache[AccountId, _Question] = LRUCache(most)
        self._flights: SingleFlight[AccountId, AccountLoad] = SingleFlight()

    async def recent(self, account_id: AccountId) -> KnownLoad:
        question = self._questions.get(account_id)
        if question is None or self._monotonic() >= question.believed_until:
            question = _Question(self._clock())
            self._questions[account_id] = question
            self._flights.forget(account_id)
        if question.answer is not None:
            return _Known(question, question.answer, was_remembered=True)
        asked = question
        answer = await self._flights(account_id, lambda: self._ask(account_id, asked))
        return _Known(question, answer, was_remembered=False)

    async def fresh(self, account_id: AccountId, doubted: KnownLoad) -> KnownLoad:
        if isinstance(doubted, _Known) and self._questions.get(account_id) is doubted.question:
            del self._questions[account_id]
        return await self.recent(account_id)

    def given(self, account_id: AccountId) -> None:
        if (question := self._questions.get(account_id)) is not None:
            question.given += 1

    async def _ask(self, account_id: AccountId, question: _Question) -> AccountLoad:
        try:
            question.answer = await self._record.load(account_id)
        finally:
            if question.answer is None and self._questions.get(account_id) is question:
                del self._questions[account_id]
        question.believed_until = self._monotonic() + self._believe_seconds
        return question.answer


# When nobody has asked for so long, what is known tells nothing.
_TOO_OLD: Final = 10.0
_log = logging.getLogger(__name__)


class RecentSystemState:
    """What was seen lately, asked for again in the background."""

    def __init__(
        self,
        queue_depth: Callable[[], Awaitable[int]],
        live_workers: Callable[[], Awaitable[int]],
        fresh: float = 0.5,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sources = {"queue depth": queue_depth, "number of workers": live_workers}
        self._fresh = fresh
        self._now = now
        self._known: SystemState | None = None
        self._seen_at = float("-inf")
        self._flight: SingleFlight[None, SystemState] = SingleFlight()

    async def state(self) -> SystemState:
        age = self._now() - self._seen_at
        if self._known is None or age > _TOO_OLD:
            return await self._flight(None, self._ask)
        if age >= self._fresh:
            _ = self._flight.begin(None, self._ask)
        return self._known

    async def _ask(self) -> SystemState:
        depth, workers = await asyncio.gather(*(self._ask_one(name) for name in self._sources))
        self._known = SystemState(depth, workers)
        self._seen_at = self._now()
        return self._known

    async def _ask_one(self, name: str) -> int | None:
        try:
            return await self._sources[name]()
        except (RemoteError, Unavailable) as error:
            _log.warning("the %s is not known: %s", name, error)
            return None
