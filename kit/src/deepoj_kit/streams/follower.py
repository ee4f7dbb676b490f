"""Follow a stream without a group: every process sees every entry, none is promised."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.backoff import Backoff, run_until
from deepoj_kit.streams.commands import RawFields, newest_id, read_after
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)


class Follower:
    """Give it to a task as `run(stop)`. It starts at the end of the stream; `see` gets what comes later."""

    def __init__(
        self,
        redis: Redis,
        stream: str,
        see: Callable[[RawFields], None],
        *,
        block: float = 3.0,
        backoff: Backoff | None = None,
    ) -> None:
        """`block` is how many seconds a read waits: fewer than the client's time-out. A stop cuts it."""
        self._redis = redis
        self._stream = stream
        self._see = see
        self._block = block
        self._backoff = backoff or Backoff()

    async def run(self, stop: asyncio.Event) -> None:
        await run_until(stop, self._follow())

    async def _follow(self) -> None:
        last: str | None = None
        failures = 0
        while True:
            try:
                last = last or await newest_id(self._redis, self._stream)
                last = await self._read(last)
                failures = 0
            except (Unavailable, RedisError) as error:
                failures += 1
                _log.warning("following %s is interrupted: %s", self._stream, error)
                await asyncio.sleep(self._backoff.jittered(failures))

    async def _read(self, last: str) -> str:
        for entry in await read_after(self._redis, self._stream, last, self._block):
            self._see(entry.fields)
            last = entry.id
        return last
