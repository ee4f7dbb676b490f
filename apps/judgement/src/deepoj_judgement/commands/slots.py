"""How many jobs this host judges at once, whoever asks: never more than it has cores to give."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class HostBusyError(Exception):
    """More calls wait for a slot than this host lets wait."""

    def __init__(self, most_waiting: int) -> None:
        super().__init__(f"{most_waiting} calls wait for this judge host already; try again later")


class Slots:
    """Whoever waits longest gets the next one. Jobs wait in the queue, where any host may take them."""

    def __init__(self, capacity: int, most_waiting: int = 0) -> None:
        """`most_waiting` bounds the calls that wait, because they wait in the memory of this host."""
        self.capacity = capacity
        self.used = 0
        self._free = asyncio.Semaphore(capacity)
        self._waiting = 0
        self._most_waiting = most_waiting

    async def acquire(self) -> None:
        await self._free.acquire()
        self.used += 1

    async def try_acquire(self) -> bool:
        if self._free.locked():
            return False
        await self.acquire()
        return True

    def release(self) -> None:
        self.used -= 1
        self._free.release()

    @asynccontextmanager
    async def for_call(self) -> AsyncIterator[None]:
        """Hold a slot for a call that somebody waits for; raise HostBusyError when too many do."""
        if not await self.try_acquire():
            await self._wait()
        try:
            yield
        finally:
            self.release()

    async def _wait(self) -> None:
        if self._waiting >= self._most_waiting:
            raise HostBusyError(self._most_waiting)
        self._waiting += 1
        try:
            await self.acquire()
        finally:
            self._waiting -= 1
