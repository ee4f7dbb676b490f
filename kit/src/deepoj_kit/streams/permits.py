"""Room for handler calls that several consumers, and others, share."""

from __future__ import annotations

import asyncio
import sys
from typing import Protocol


class Permits(Protocol):
    """Permits to hold; the task that waits longest gets the next one."""

    @property
    def left(self) -> int:
        """How many there are now."""
        ...

    async def acquire(self) -> None: ...

    async def try_acquire(self) -> bool:
        """Return at once whether there was one, and nobody else waiting for it."""
        ...

    def release(self) -> None: ...


class Unlimited:
    left = sys.maxsize

    async def acquire(self) -> None:
        pass

    async def try_acquire(self) -> bool:
        return True

    def release(self) -> None:
        pass


async def acquired(permits: Permits, stop: asyncio.Event) -> bool:
    """Wait for a permit; return False when the stop came first."""
    if await permits.try_acquire():
        return True
    acquiring, stopping = asyncio.create_task(permits.acquire()), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((acquiring, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        acquiring.cancel()
        await asyncio.wait((acquiring,))
    return not acquiring.cancelled()
