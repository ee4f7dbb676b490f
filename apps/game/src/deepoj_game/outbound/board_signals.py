"""One listener a process, which wakes whoever watches a board."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from deepoj_domain.kernel.ids import GameId
from deepoj_kit.backoff import wait_first


class BoardSignals:
    """`notified` is set by a Listener. A watcher looks by itself after `recheck` seconds without a hint."""

    def __init__(self, recheck: float = 2.0) -> None:
        self.notified = asyncio.Event()
        self._recheck = recheck
        self._watchers: set[asyncio.Event] = set()
        self._over = asyncio.Event()

    @asynccontextmanager
    async def of(self, game_id: GameId) -> AsyncIterator[AsyncIterator[None]]:  # noqa: ARG002 — any may have changed
        changed = asyncio.Event()
        changed.set()
        self._watchers.add(changed)
        try:
            yield self._hints(changed)
        finally:
            self._watchers.discard(changed)

    def end(self) -> None:
        """End all watches: they would hold the graceful stop of the process."""
        self._over.set()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await wait_first(stop, self.notified)
            self.notified.clear()
            for changed in self._watchers:
                changed.set()

    async def _hints(self, changed: asyncio.Event) -> AsyncIterator[None]:
        while not self._over.is_set():
            await wait_first(changed, self._over, timeout=self._recheck)
            changed.clear()
            yield
