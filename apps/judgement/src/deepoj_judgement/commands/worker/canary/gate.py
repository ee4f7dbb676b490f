"""Whether this worker takes jobs."""

import asyncio
from typing import Protocol


class Permits(Protocol):
    @property
    def left(self) -> int: ...

    async def acquire(self) -> None: ...

    async def try_acquire(self) -> bool: ...

    def release(self) -> None: ...


class Gate:
    """Permits for jobs, of which there are none while it is closed; what is held stays held."""

    def __init__(self, permits: Permits, handing_back: asyncio.Event, stopping: asyncio.Event) -> None:
        """`handing_back` sends running jobs back to the queue; at the end of the process it stays set."""
        self._permits = permits
        self._handing_back = handing_back
        self._stopping = stopping
        self._distrusted = False
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_open(self) -> bool:
        return self._open.is_set()

    @property
    def is_trusted(self) -> bool:
        """Say whether what is judged here is right, if late."""
        return self.is_open or not self._distrusted

    def close(self, *, hand_back: bool) -> None:
        """`hand_back`: what is being judged goes to others too, for its verdict would be wrong."""
        self._open.clear()
        self._distrusted = hand_back
        if hand_back:
            self._handing_back.set()

    def open(self) -> None:
        if not self._stopping.is_set():
            self._handing_back.clear()
        self._open.set()

    @property
    def left(self) -> int:
        return self._permits.left if self.is_open else 0

    async def acquire(self) -> None:
        while True:
            await self._open.wait()
            await self._permits.acquire()
            if self.is_open:
                return
            self._permits.release()

    async def try_acquire(self) -> bool:
        return self.is_open and await self._permits.try_acquire()

    def release(self) -> None:
        self._permits.release()
