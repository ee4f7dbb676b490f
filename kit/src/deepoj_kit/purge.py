"""Delete old rows from time to time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from deepoj_kit.backoff import wait_first
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)


class Purge:
    """Each of `purges` deletes what is older than it is told and says how much that was.

    Any number of processes may run one.
    """

    def __init__(
        self,
        *purges: Callable[[timedelta], Awaitable[int]],
        keep: timedelta,
        interval: timedelta = timedelta(minutes=10),
    ) -> None:
        self._purges = purges
        self._keep = keep
        self._interval = interval.total_seconds()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            for purge in self._purges:
                try:
                    if deleted := await purge(self._keep):
                        _log.info("deleted %d old rows", deleted)
                except Unavailable as error:
                    _log.warning("deleting old rows is put off: %s", error)
            await wait_first(stop, timeout=self._interval)
