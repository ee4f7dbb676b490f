"""Changes of one board, read once for all who watch it in this process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from deepoj_bff.inbound.http.sse.frames import Event

BOUND: Final = 256
_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True)
class BoardUpdate:
    sequence: int
    event: Event
    """Encoded once, however many read it."""


# Reads changes after a sequence number; ends or raises when the board cannot be read any more.
Open = Callable[[int], AsyncIterator[BoardUpdate]]


class BoardWatch:
    __slots__ = ("_pending", "_wake", "closed", "failure", "overflowed")

    def __init__(self) -> None:
        self._pending: deque[BoardUpdate] = deque()
        self._wake = asyncio.Event()
        self.closed = False
        self.overflowed = False
        self.failure: Exception | None = None

    def offer(self, update: BoardUpdate) -> None:
        if len(self._pending) >= BOUND:
            self.overflowed = True
            self.close()
        else:
            self._pending.append(update)
            self._wake.set()

    def close(self, failure: Exception | None = None) -> None:
        self.closed = True
        self.failure = failure
        self._wake.set()

    async def updates(self, seconds: float) -> list[BoardUpdate]:
        """Wait for updates; return nothing when the time is over or the watch is."""
        if not self._wake.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        self._wake.clear()
        found = list(self._pending)
        self._pending.clear()
        return found


class _Reading:
    """One reader, and those it reads for."""

    def __init__(self, after: int) -> None:
        self.after = after
        """Everything later is remembered, up to a bound."""
        self.remembered: deque[BoardUpdate] = deque(maxlen=_REMEMBERED)
        self.watches: set[BoardWatch] = set()
        self.task: asyncio.Task[None] | None = None

    def publish(self, update: BoardUpdate) -> None:
        if len(self.remembered) == _REMEMBERED:
            self.after = self.remembered[0].sequence
        self.remembered.append(update)
        for watch in self.watches:
            watch.offer(update)

    def end(self, failure: Exception | None) -> None:
        for watch in self.watches:
            watch.close(failure)


class BoardFeeds:
    def __init__(self, is_passing: Callable[[Exception], bool], pause: Callable[[], Awaitable[None]]) -> None:
        """`is_passing` tells failures worth another try after a pause from refusals."""
        self._is_passing = is_passing
        self._pause = pause
        self._readings: dict[Hashable, _Reading] = {}
        self._closed = False

    @contextmanager
    def watch(self, key: Hashable, after: int, reading: Open) -> Iterator[BoardWatch | None]:
        """Watch the changes after a sequence number; None when they are not remembered that far back."""
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = _Reading(after)
            found.task = asyncio.create_task(self._read(key, found, reading))
        if after < found.after:
            yield None
            return
        watch = BoardWatch()
        for update in found.remembered:
            if update.sequence > after:
                watch.offer(update)
        found.watches.add(watch)
        if self._closed:
            watch.close()
        try:
            yield watch
        finally:
            found.watches.discard(watch)
            if not found.watches:
                self._stop(key, found)

    def close(self) -> None:
        self._closed = True
        for found in self._readings.values():
            found.end(None)

    def _stop(self, key: Hashable, found: _Reading) -> None:
        if self._readings.get(key) is found:
            del self._readings[key]
        if found.task is not None:
            found.task.cancel()

    async def _read(self, key: Hashable, found: _Reading, reading: Open) -> None:
        last = found.after
        while True:
            try:
                async for update in reading(last):
                    last = update.sequence
                    found.publish(update)
            except Exception as error:  # noqa: BLE001 — whatever ends the reading ends the watches
                if not self._is_passing(error):
                    found.end(error)
                    self._stop(key, found)
                    return
            await self._pause()
