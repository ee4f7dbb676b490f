"""How a consumer reads, and the room for handler calls that several consumers, and others, share."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from deepoj_kit.backoff import Backoff


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


def no_parts(_stream: str) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class ConsumerOptions:
    """Times are in seconds."""

    calls: int = 1
    """Handler calls at the same time."""
    permits: Permits = field(default_factory=Unlimited)
    """A call needs one too, and nothing is read that has none."""
    batch: int = 64
    """Entries per handler call at most; never waited for."""
    block: float = 1.0
    """Longest blocking read, so the longest wait before a stop is noticed. Below the client's time-out."""
    min_idle: float | Callable[[], float] = 75.0
    """Entries idle for longer are taken over from whoever has them: above the longest time of handling.
    A function is asked each time."""
    reclaim_interval: float = 5.0
    reclaim_count: int = 16
    parts_of: Callable[[str], Sequence[str]] = no_parts
    """Asked before each read which parts of a stream are read before it; they change from time to time."""
    favour_every: int = 16
    """Every so many reads one of the lower streams goes first, each in turn, lest one starve; 0 never."""
    forget_after: float = 3600.0
    """The names of consumers that were silent for longer and have nothing are taken out of the group."""
    drain_timeout: float = 10.0
    """Time for running handlers after a stop."""
    backoff: Backoff = field(default_factory=Backoff)
    on_acknowledged: Callable[[], None] = lambda: None
    """Called after each acknowledgement that the server has confirmed."""

    @property
    def idle_seconds(self) -> float:
        return self.min_idle() if callable(self.min_idle) else self.min_idle
