"""Two tiers of encoded answers: this process, then what all front doors share.

A key holds the revision of what it names (`problem:item:<id>#v<revision>`), so a change makes new keys and
the old ones fall out by themselves. An answer past its freshness is still given while one call fetches a new
one; without an answer, all who ask at the same time wait for one call.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

Load = Callable[[], Awaitable[bytes | None]]


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
class Cached:
    body: bytes | None
    """None: there is none."""
    etag: str
    stored_at: float


def etag_of(body: bytes) -> str:
    return f'"{blake2b(body, digest_size=12).hexdigest()}"'


class Cache:
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
        self._most = most
        self._now = now
        self._entries: OrderedDict[str, Cached] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Cached]] = {}

    async def get(self, key: str, load: Load, *, unsure: bool = False) -> Cached:
        """Return the answer; `unsure` of its revision, only one of the last moments, and only from here."""
        entry = self._entries.get(key)
        if entry is not None:
            age = self._now() - entry.stored_at
            brief = unsure or entry.body is None
            if age < (self._lifetimes.negative if brief else self._lifetimes.fresh):
                self._observe("hit")
                return entry
            if not brief and age < self._lifetimes.fresh + self._lifetimes.stale:
                self._observe("stale")
                _ = self._load_once(key, load, None, self._shared)
                return entry
        shared = None if unsure else self._shared
        # Shielded: one who gives up must not take the answer from the others.
        return await asyncio.shield(self._load_once(key, load, shared, shared))

    def fresh(self, key: str) -> Cached | None:
        """Return the answer if it is here, fresh, and one of something."""
        entry = self._entries.get(key)
        if entry is None or entry.body is None or self._now() - entry.stored_at >= self._lifetimes.fresh:
            return None
        self._observe("hit")
        return entry

    def drop(self, key: str) -> None:
        """Forget the answer, and the one on its way: it may be from before the change."""
        self._entries.pop(key, None)
        self._loading.pop(key, None)

    def _load_once(
        self, key: str, load: Load, source: Shared | None, target: Shared | None
    ) -> asyncio.Task[Cached]:
        task = self._loading.get(key)
        if task is None:
            task = asyncio.create_task(self._load(key, load, source, target))
            self._loading[key] = task
            task.add_done_callback(lambda done: self._loaded(key, done))
        return task

    def _loaded(self, key: str, task: asyncio.Task[Cached]) -> None:
        if self._loading.get(key) is task:
            del self._loading[key]
        if not task.cancelled():
            # Whoever waits gets the error; a refresh in the background has nobody, and keeps what it had.
            task.exception()

    async def _load(self, key: str, load: Load, source: Shared | None, target: Shared | None) -> Cached:
        if source is not None and (body := await source.get(key)) is not None:
            self._observe("shared")
            return self._keep(key, body)
        self._observe("miss")
        body = await load()
        if target is not None and body is not None:
            await target.put(key, body, self._lifetimes.fresh)
        return self._keep(key, body)

    def _keep(self, key: str, body: bytes | None) -> Cached:
        entry = Cached(body, etag_of(body) if body is not None else "", self._now())
        if self._loading.get(key) is not asyncio.current_task():
            return entry
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if len(self._entries) > self._most:
            self._entries.popitem(last=False)
        return entry
