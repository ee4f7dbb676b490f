"""Changes of one board, read once for all who watch it in this process."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from deepoj_bff.inbound.http.sse.frames import Event
from deepoj_kit.watches import Watch, WatchHub

BOUND: Final = 256
_REMEMBERED: Final = 1024


@dataclass(frozen=True, slots=True)
class BoardUpdate:
    sequence: int
    event: Event
    """Encoded once, however many read it."""


# Reads changes after a sequence number; ends or raises when the board cannot be read any more.
Open = Callable[[int], AsyncIterator[BoardUpdate]]


class BoardWatch(Watch[BoardUpdate]):
    __slots__ = ("failure",)

    def __init__(self) -> None:
        super().__init__(BOUND)
        self.failure: Exception | None = None

    def fail(self, failure: Exception) -> None:
        self.failure = failure
        self.close()


class _Reading:
    """One reader, and what those it reads for may still ask for."""

    def __init__(self, after: int) -> None:
        self.after = after
        """Everything later is remembered, up to a bound."""
        self.remembered: deque[BoardUpdate] = deque(maxlen=_REMEMBERED)
        self.task: asyncio.Task[None] | None = None

    def remember(self, update: BoardUpdate) -> None:
        if len(self.remembered) == _REMEMBERED:
            self.after = self.remembered[0].sequence
        self.remembered.append(update)


class BoardFeeds:
    def __init__(self, is_passing: Callable[[Exception], bool], pause: Callable[[], Awaitable[None]]) -> None:
        """`is_passing` tells failures worth another try after a pause from refusals."""
        self._is_passing = is_passing
        self._pause = pause
        self._readings: dict[Hashable, _Reading] = {}
        self._hub = WatchHub[_Reading, BoardWatch](BoardWatch)

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
        try:
            with self._hub.watch(found) as watch:
                for update in found.remembered:
                    if update.sequence > after:
                        watch.offer(update.sequence, update)
                yield watch
        finally:
            if not self._hub.of(found):
                self._stop(key, found)

    def close(self) -> None:
        """End all watches."""
        self._hub.close()

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
                    found.remember(update)
                    for watch in self._hub.of(found):
                        watch.offer(update.sequence, update)
            except Exception as error:  # noqa: BLE001 — whatever ends the reading ends the watches
                if not self._is_passing(error):
                    for watch in self._hub.of(found):
                        watch.fail(error)
                    self._stop(key, found)
                    return
            await self._pause()
