"""The state of the system as admission sees it: what was seen lately, asked for again in the background."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from deepoj_domain.admission.facts import SystemState
from deepoj_kit.grpc import RemoteError
from deepoj_kit.single_flight import SingleFlight
from deepoj_kit.unavailable import Unavailable

# When nobody has asked for so long, what is known tells nothing.
_TOO_OLD: Final = 10.0
_log = logging.getLogger(__name__)


class RecentSystemState:
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
