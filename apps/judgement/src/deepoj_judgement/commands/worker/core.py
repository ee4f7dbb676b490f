"""The core of a job: others have it while the job's program sleeps."""

import asyncio
from typing import Protocol

# A job that has waited for so long in all, each time its program woke up, keeps its core.
_LONGEST_SECONDS = 30.0


class Lender(Protocol):
    def lend(self) -> None: ...

    async def take_back(self) -> None: ...


class Dormitory:
    """Where programs sleep: so many at once, with so much memory among them."""

    def __init__(self, places: int, memory_bytes: int) -> None:
        self._places = places
        self._bytes = memory_bytes

    def enter(self, memory_bytes: int) -> bool:
        if not self._places or memory_bytes > self._bytes:
            return False
        self._places -= 1
        self._bytes -= memory_bytes
        return True

    def leave(self, memory_bytes: int) -> None:
        self._places += 1
        self._bytes += memory_bytes


class Core:
    def __init__(self, lender: Lender, dormitory: Dormitory) -> None:
        self._lender = lender
        self._dormitory = dormitory
        self._asleep: int | None = None
        self._waited = 0.0

    def lend(self, memory_bytes: int) -> None:
        """Say that the program sleeps, and what memory it may hold meanwhile."""
        may_lend = self._asleep is None and self._waited < _LONGEST_SECONDS
        if may_lend and self._dormitory.enter(memory_bytes):
            self._asleep = memory_bytes
            self._lender.lend()

    async def take_back(self) -> None:
        """Return when the program may go on."""
        if self._asleep is None:
            return
        begun = asyncio.get_running_loop().time()
        await self._lender.take_back()
        self._waited += asyncio.get_running_loop().time() - begun
        self.give_up()

    def give_up(self) -> bool:
        """Sleep no more; say whether it did."""
        if self._asleep is None:
            return False
        self._dormitory.leave(self._asleep)
        self._asleep = None
        return True
