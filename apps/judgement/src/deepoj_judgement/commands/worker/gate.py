"""Whether this worker takes jobs."""

import asyncio
from enum import Enum, auto
from typing import Protocol


class Permits(Protocol):
    @property
    def left(self) -> int: ...

    async def acquire(self) -> None: ...

    async def try_acquire(self) -> bool: ...

    def release(self) -> None: ...


class Hold(Enum):
    """Who keeps the gate closed."""

    CANARIES = auto()
    OPERATOR = auto()


class Gate:
    """Permits for jobs, of which there are none while anybody holds it; what was got before stays so."""

    def __init__(self, permits: Permits, handing_back: asyncio.Event, stopping: asyncio.Event) -> None:
        """`handing_back` sends running jobs back to the queue; at the end of the process it stays set."""
        self._permits = permits
        self._handing_back = handing_back
        self._stopping = stopping
        self._hands_back: dict[Hold, bool] = {}
        """By those who hold it."""
        self._open = asyncio.Event()
        self._open.set()

    @property
    def is_open(self) -> bool:
        return self._open.is_set()

    @property
    def is_trusted(self) -> bool:
        """Say whether what is judged here is right, if late."""
        return not self._hands_back.get(Hold.CANARIES, False)

    def is_held_by(self, who: Hold) -> bool:
        return who in self._hands_back

    def close(self, who: Hold, *, hand_back: bool) -> None:
        """`hand_back`: what is being judged goes to others too."""
        self._open.clear()
        self._hands_back[who] = hand_back
        self._settle()

    def open(self, who: Hold) -> None:
        """It stays closed for as long as others hold it."""
        self._hands_back.pop(who, None)
        self._settle()
        if not self._hands_back:
            self._open.set()

    def _settle(self) -> None:
        if any(self._hands_back.values()):
            self._handing_back.set()
        elif not self._stopping.is_set():
            self._handing_back.clear()

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
