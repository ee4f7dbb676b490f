"""What the clock starts: the end of what has expired, and mail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from deepoj_kit.backoff import wait_first
from deepoj_kit.unavailable import Unavailable

# A command that stores a letter wakes us; this pause is for letters of other processes and second tries.
_SWEEP: Final = timedelta(seconds=5)
_log = logging.getLogger(__name__)


async def every(interval: timedelta, purge: Callable[[], Awaitable[int]], stop: asyncio.Event) -> None:
    """Wait, purge, repeat until the stop; a database that is away for a while is met again the next time."""
    await wait_first(stop, timeout=interval.total_seconds())
    while not stop.is_set():
        try:
            if deleted := await purge():
                _log.info("deleted %d rows that have expired", deleted)
        except Unavailable as error:
            _log.warning("the purge is put off: %s", error)
        await wait_first(stop, timeout=interval.total_seconds())


async def deliver(
    arrived: asyncio.Event, mail_one: Callable[[], Awaitable[bool]], stop: asyncio.Event
) -> None:
    """Mail whatever is due, whenever something arrives and from time to time."""
    while not stop.is_set():
        arrived.clear()
        try:
            while not stop.is_set() and await mail_one():
                pass
        except Unavailable as error:
            _log.warning("mail has to wait: %s", error)
        await wait_first(stop, arrived, timeout=_SWEEP.total_seconds())
