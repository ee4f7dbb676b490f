"""How many jobs this host judges at once, whoever asks: never more than it has cores to give."""

import asyncio
from types import TracebackType


class Slots:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._free = asyncio.Semaphore(capacity)
        self.used = 0

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

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
