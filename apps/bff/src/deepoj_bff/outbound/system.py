"""The state of the system as admission sees it: what was seen lately, asked for again in the background."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from deepoj_bff.commands.ports import SystemState
from deepoj_kit.grpc import RemoteError
from deepoj_kit.unavailable import Unavailable

# When nobody has asked for so long, what is known tells nothing.
_TOO_OLD: Final = 10.0
_log = logging.getLogger(__name__)


class WatchedSystem:
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
        self._asking: asyncio.Task[SystemState] | None = None

    async def state(self) -> SystemState:
        age = self._now() - self._seen_at
        if self._known is not None and age < self._fresh:
            return self._known
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        if self._known is None or age > _TOO_OLD:
            return await asyncio.shield(self._asking)
        return self._known

    async def _ask(self) -> SystemState:
        try:
            depth, workers = await asyncio.gather(*(self._one(name) for name in self._sources))
            self._known = SystemState(depth, workers)
            self._seen_at = self._now()
            return self._known
        finally:
            self._asking = None

    async def _one(self, name: str) -> int | None:
        try:
            return await self._sources[name]()
        except (RemoteError, Unavailable) as error:
            _log.warning("the %s is not known: %s", name, error)
            return None
