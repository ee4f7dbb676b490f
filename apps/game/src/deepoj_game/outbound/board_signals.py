"""One listener a process, which wakes whoever watches a board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from deepoj_domain.kernel.ids import GameId
from deepoj_kit.backoff import wait_first
from deepoj_kit.watches import Watch, WatchHub


class BoardSignals:
    """`notified` is set by a Listener. A watcher looks by itself after `recheck` seconds without a hint."""

    def __init__(self, recheck: float = 2.0) -> None:
        self.notified = asyncio.Event()
        self._recheck = recheck
        self._hub = WatchHub[GameId, Watch[None]](partial(Watch[None], 0))

    @asynccontextmanager
    async def of(self, game_id: GameId) -> AsyncIterator[AsyncIterator[None]]:
        with self._hub.watch(game_id) as watch:
            watch.wake()
            yield self._hints(watch)

    def end(self) -> None:
        """End all watches."""
        self._hub.close()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await wait_first(stop, self.notified)
            self.notified.clear()
            # A notification says of no board that it is this one.
            for watch in self._hub.everybody():
                watch.wake()

    async def _hints(self, watch: Watch[None]) -> AsyncIterator[None]:
        while not watch.closed:
            await watch.news(self._recheck)
            yield
