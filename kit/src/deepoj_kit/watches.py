"""Watchers in this process, and what each of them has not been told yet. Nobody waits for a slow one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
N = TypeVar("N")
W = TypeVar("W", bound="Watch[Any]")


class Watch(Generic[N]):
    """Several pieces of news about one subject are one: the last."""

    __slots__ = ("_bound", "_news", "_wake", "closed", "overflowed")

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._news: dict[Hashable, N] = {}
        self._wake = asyncio.Event()
        self.closed = False
        self.overflowed = False
        """It was closed because it was too far behind."""

    def offer(self, subject: Hashable, news: N) -> None:
        if subject not in self._news and len(self._news) >= self._bound:
            self.overflowed = True
            self.close()
        else:
            self._news[subject] = news
            self._wake.set()

    def wake(self) -> None:
        """End the waiting without news."""
        self._wake.set()

    def close(self) -> None:
        self.closed = True
        self._wake.set()

    async def news(self, seconds: float) -> list[N]:
        """Wait for news; return nothing when the time is over or the watch was woken or closed."""
        if not self._wake.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        self._wake.clear()
        found = list(self._news.values())
        self._news.clear()
        return found


class WatchHub(Generic[K, W]):
    """The open watches, by what they watch."""

    def __init__(self, make: Callable[[], W]) -> None:
        self._make = make
        self._watches: dict[K, set[W]] = {}
        self._closed = False

    @contextmanager
    def watch(self, topic: K) -> Iterator[W]:
        watch = self._make()
        watches = self._watches.setdefault(topic, set())
        watches.add(watch)
        if self._closed:
            watch.close()
        try:
            yield watch
        finally:
            watches.discard(watch)
            if not watches:
                self._watches.pop(topic, None)

    def of(self, topic: K) -> Iterable[W]:
        return self._watches.get(topic, ())

    def everybody(self) -> list[W]:
        return [watch for watches in self._watches.values() for watch in watches]

    def close(self) -> None:
        """Close all watches, also those to come: they would hold the graceful stop of the process."""
        self._closed = True
        for watch in self.everybody():
            watch.close()
