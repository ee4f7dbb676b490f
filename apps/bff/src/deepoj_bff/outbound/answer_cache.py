"""Two tiers of encoded answers: this process, then what all front doors share.

A key holds the revision of what it names (`problem:item:<id>#v<revision>`), so a change makes new keys and
the old ones fall out by themselves. An answer past its freshness is still given while one call fetches a new
one; without an answer, all who ask at the same time wait for one call.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

from cachetools import LRUCache
from redis.asyncio import Redis

from deepoj_bff.queries.cache import Encoded, Load
from deepoj_kit.single_flight import SingleFlight
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable


class Shared(Protocol):
    async def get(self, key: str) -> bytes | None: ...

    async def put(self, key: str, value: bytes, seconds: float) -> None: ...


class Observe(Protocol):
    def __call__(self, outcome: str, /) -> None:
        """Count one look-up: hit, stale, shared or miss."""
        ...


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """Seconds."""

    fresh: float
    stale: float
    """How long after that an answer may be given while a new one is fetched."""
    negative: float = 2.0
    """How long "there is none" is believed."""


@dataclass(frozen=True, slots=True)
class _Entry:
    answer: Encoded
    stored_at: float


class AnswerCache:
    def __init__(
        self,
        lifetimes: Lifetimes,
        shared: Shared | None,
        observe: Observe,
        *,
        most: int = 2000,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lifetimes = lifetimes
        self._shared = shared
        self._observe = observe
        self._now = now
        self._entries: LRUCache[str, _Entry] = LRUCache(most)
        self._flights: SingleFlight[str, Encoded] = SingleFlight()

    async def get(self, key: str, load: Load, *, unsure: bool = False) -> Encoded:
        entry = self._entries.get(key)
        if entry is not None:
            age = self._now() - entry.stored_at
            brief = unsure or entry.answer.body is None
            if age < (self._lifetimes.negative if brief else self._lifetimes.fresh):
                self._observe("hit")
                return entry.answer
            if not brief and age < self._lifetimes.fresh + self._lifetimes.stale:
                self._observe("stale")
                _ = self._flights.begin(key, lambda: self._load(key, load, None, self._shared))
                return entry.answer
        shared = None if unsure else self._shared
        return await self._flights(key, lambda: self._load(key, load, shared, shared))

    def fresh(self, key: str) -> Encoded | None:
        entry = self._entries.get(key)
        if entry is None or self._now() - entry.stored_at >= self._lifetimes.fresh:
            return None
        if entry.answer.body is None:
            return None
        self._observe("hit")
        return entry.answer

    def drop(self, key: str) -> None:
        self._entries.pop(key, None)
        self._flights.forget(key)

    async def _load(self, key: str, load: Load, source: Shared | None, target: Shared | None) -> Encoded:
        if source is not None and (body := await source.get(key)) is not None:
            self._observe("shared")
            return self._keep(key, body)
        self._observe("miss")
        body = await load()
        if target is not None and body is not None:
            await target.put(key, body, self._lifetimes.fresh)
        return self._keep(key, body)

    def _keep(self, key: str, body: bytes | None) -> Encoded:
        answer = Encoded.of(body)
        if not self._flights.is_forgotten(key):
            self._entries[key] = _Entry(answer, self._now())
        return answer


_log = logging.getLogger(__name__)


class RedisSharedCache:
    """The second tier: what one front door has fetched, the others need not.

    Holds public views only. Its absence costs time, nothing else.
    """

    def __init__(self, redis: Redis, prefix: str) -> None:
        self._redis = redis
        self._prefix = prefix

    async def get(self, key: str) -> bytes | None:
        try:
            with translated():
                return cast("bytes | None", await self._redis.get(self._prefix + key))
        except Unavailable as error:
            _log.warning("the shared cache is away: %s", error)
            return None

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        try:
            with translated():
                await self._redis.set(self._prefix + key, value, px=round(seconds * 1000))
        except Unavailable as error:
            _log.warning("the shared cache is away: %s", error)
