"""LISTEN and NOTIFY as a hint to look now: it may be lost, so whoever waits for it also looks by itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import aclosing

from psycopg import sql

from deepoj_kit.backoff import Backoff, run_until, wait_first
from deepoj_kit.postgres.database import Connection, Database, translated
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)


class Listener:
    """Sets an event for each notified channel, on a connection of its own.

    After `heartbeat` seconds of silence it asks whether the server is still there.
    """

    def __init__(
        self,
        database: Database,
        channels: Mapping[str, asyncio.Event],
        backoff: Backoff | None = None,
        heartbeat: float = 30.0,
    ) -> None:
        self._heartbeat = heartbeat
        self._database = database
        self._channels = dict(channels)
        self._backoff = backoff or Backoff()

    async def run(self, stop: asyncio.Event) -> None:
        await _keep_connected(self._database, self._listen, self._backoff, stop)

    async def _listen(self, connection: Connection) -> None:
        with translated():
            for channel in self._channels:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            # Whatever was sent while nobody listened is gone: look once.
            for event in self._channels.values():
                event.set()
            while True:
                async with aclosing(connection.notifies(timeout=self._heartbeat)) as notifications:
                    async for notification in notifications:
                        self._channels[notification.channel].set()
                await connection.execute("")


class Notifier:
    """Notifies one channel after commits, on a connection of its own.

    NOTIFY takes a lock that all committing transactions share, so inside a business transaction it halves
    their throughput. Here, calls made while one is under way become a single further one.
    """

    def __init__(self, database: Database, channel: str, backoff: Backoff | None = None) -> None:
        self._database = database
        self._channel = channel
        self._backoff = backoff or Backoff()
        self._wanted = asyncio.Event()

    def notify(self) -> None:
        """Ask for a notification; call it after the commit, never before."""
        self._wanted.set()

    async def run(self, stop: asyncio.Event) -> None:
        await _keep_connected(self._database, self._send, self._backoff, stop)

    async def _send(self, connection: Connection) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                with translated():
                    await connection.execute("SELECT pg_notify(%s, '')", (self._channel,))
            except Unavailable:
                self._wanted.set()
                raise


async def _keep_connected(
    database: Database,
    work: Callable[[Connection], Coroutine[object, object, None]],
    backoff: Backoff,
    stop: asyncio.Event,
) -> None:
    """Work on a connection of one's own until the stop, connecting again whenever it is lost."""
    failures = 0
    while not stop.is_set():
        try:
            connection = await database.connect()
            failures = 0
            async with connection:
                await run_until(stop, work(connection))
        except Unavailable as error:
            failures += 1
            _log.warning("notifications are interrupted: %s", error)
            await wait_first(stop, timeout=backoff.jittered(failures))
