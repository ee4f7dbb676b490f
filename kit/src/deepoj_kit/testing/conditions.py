"""Time in tests: conditions to wait for, loops that run meanwhile, a clock that obeys."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Protocol

# Who has waited for long looks less often: looking costs the time of those that are waited for.
_SHORTEST, _LONGEST, _SHARE = 0.005, 0.1, 0.05
PATIENCE = 180.0
"""Seconds until a test gives up: for a machine ten times slower than ours, and busy."""


class Loop(Protocol):
    async def run(self, stop: asyncio.Event) -> None: ...


async def eventually(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], within: float = PATIENCE
) -> None:
    """Return as soon as the condition holds; fail the test when it does not in time."""
    for pause in _pauses(str(condition), within):
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return
        await asyncio.sleep(pause)


def until(condition: Callable[[], bool], what: str = "", within: float = PATIENCE) -> None:
    """Do the same in a test without a loop."""
    for pause in _pauses(what or str(condition), within):
        if condition():
            return
        time.sleep(pause)


def _pauses(what: str, within: float) -> Iterator[float]:
    began = time.monotonic()
    while (waited := time.monotonic() - began) <= within:
        yield min(_SHORTEST + _SHARE * waited, _LONGEST)
    raise AssertionError(f"not within {within:g} s: {what}")


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
