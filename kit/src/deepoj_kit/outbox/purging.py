"""Delete delivered rows from time to time."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from deepoj_kit.outbox.outbox import Outbox
from deepoj_kit.pacing import wait_first
from deepoj_kit.postgres import Database
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)


class OutboxPurge:
    """`keep` is how long a row stays after its delivery; any number of processes may run one."""

    def __init__(
        self,
        outbox: Outbox,
        database: Database,
        keep: timedelta,
        interval: timedelta = timedelta(minutes=10),
    ) -> None:
        self._outbox = outbox
        self._database = database
        self._keep = keep
        self._interval = interval.total_seconds()

    async def run(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                if deleted := await self._outbox.purge(self._database, self._keep):
                    _log.info("deleted %d delivered messages", deleted)
            except Unavailable as error:
                _log.warning("old messages stay for now: %s", error)
            await wait_first(stop, timeout=self._interval)
