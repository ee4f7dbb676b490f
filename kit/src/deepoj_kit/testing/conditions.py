"""Time in tests: conditions to wait for, loops that run meanwhile, a clock that obeys."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Protocol

# Who has waited for long looks less often: looking costs the time of those that are waited for.
_SHORTEST, _LONGEST, _SHARE = 0.005, 0.05, 0.05
PATIENCE = 180.0
"""Seconds until a test gives up: for a machine ten times slower than ours, and busy."""


class Loop(Protocol):
    async def run(self, stop: asyncio.Event) -> None: ...


async def eventually(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], within: float = PATIENCE
) -> None:
    """Return as soon as the condition holds; fail the test when it does not in time."""
    began = time.monotonic()
    while True:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return
        waited = time.monotonic() - began
        if waited > within:
            raise AssertionError(f"{condition} did not come true within {within:g} s")
        await asyncio.sleep(min(_SHORTEST + _SHARE * waited, _LONGEST))


@asynccontextmanager
async def running(*loops: Loop) -> AsyncIterator[None]:
    """Run the loops during the block, then stop them and wait for their end."""
    stop = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        for loop in loops:
            tasks.create_task(loop.run(stop))
        try:
            yield
        finally:
            stop.set()


class ManualClock:
    """Moves only when told to."""

    def __init__(self, now: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> None:
        """Move by the keywords of timedelta."""
        self.now += timedelta(**by)
