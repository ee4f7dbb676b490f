"""How long a loop waits, and what may end the wait early."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass

# Seconds that work which was told to end has for it, before it is told again.
_AGAIN = 1.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """Seconds before the next try: doubling from `first` up to `cap`."""

    first: float = 0.1
    cap: float = 5.0

    def delay(self, failures: int) -> float:
        """Return the delay after that many failures in a row (one or more)."""
        # The exponent is bounded because a float overflows after some thousand failures.
        return float(min(self.cap, self.first * 2 ** min(failures - 1, 60)))

    def jittered(self, failures: int) -> float:
        """Return the delay less up to a quarter, so that many processes do not return in step."""
        return self.delay(failures) * random.uniform(0.75, 1.0)  # noqa: S311 — spreads load, hides nothing


async def wait_first(*events: asyncio.Event, timeout: float | None = None) -> None:  # noqa: ASYNC109 — running out of time is a normal way to wake
    """Return when any of the events is set or the time is over."""
    if any(event.is_set() for event in events):
        return
    if len(events) == 1:
        # Needs no task, which would wake whoever waits some turns later.
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await events[0].wait()
        return
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


async def run_until(stop: asyncio.Event, work: Coroutine[object, object, None]) -> None:
    """Run `work` until it ends or `stop` is set; only for work that may be cut anywhere."""
    task = asyncio.create_task(work)
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((task, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        while not task.done():
            # More than once: redis loses one that comes at the same moment as an answer.
            task.cancel()
            await asyncio.wait((task,), timeout=_AGAIN)
    if not task.cancelled():
        task.result()
