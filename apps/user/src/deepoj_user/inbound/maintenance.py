"""What the clock starts: the end of what has expired."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from deepoj_kit.pacing import wait_first
from deepoj_kit.unavailable import Unavailable

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
