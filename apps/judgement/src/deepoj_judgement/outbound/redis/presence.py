"""Who judges: one key a worker, alive for as long as it is renewed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import cast

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_judgement.queries.list_workers import WorkerView
from deepoj_kit.telemetry import gauge

_log = logging.getLogger(__name__)
TTL = timedelta(seconds=15)
INTERVAL = timedelta(seconds=5)
_DECODER = msgspec.json.Decoder(WorkerView)
_ALIVE = gauge("workers_alive", "Workers that announce themselves, this one included")


class Presence:
    """The set of names beside the keys spares readers a scan of all of Redis; its dead names fall out."""

    def __init__(self, redis: Redis, env: str, clock: Callable[[], datetime]) -> None:
        self._redis = redis
        self._names = f"deepoj:{env}:workers"
        self._clock = clock

    async def announce(self, worker: WorkerView) -> None:
        now = self._clock().timestamp()
        pipeline = self._redis.pipeline(transaction=False)
        _ = pipeline.set(f"{self._names}:{worker.name}", msgspec.json.encode(worker), ex=TTL)
        _ = pipeline.zadd(self._names, {worker.name: now + TTL.total_seconds()})
        _ = pipeline.zremrangebyscore(self._names, "-inf", now)
        _ = pipeline.zcard(self._names)
        *_, alive = cast("list[int]", await pipeline.execute())
        _ALIVE.set(alive)

    async def withdraw(self, name: str) -> None:
        pipeline = self._redis.pipeline(transaction=False)
        _ = pipeline.delete(f"{self._names}:{name}")
        _ = pipeline.zrem(self._names, name)
        await pipeline.execute()

    async def workers(self) -> Sequence[WorkerView]:
        names = cast("list[bytes]", await self._redis.zrange(self._names, 0, -1))
        if not names:
            return []
        found = await self._redis.mget([f"{self._names}:{name.decode()}" for name in names])
        return [_DECODER.decode(each) for each in found if each is not None]

    async def run(self, describe: Callable[[], WorkerView], stop: asyncio.Event) -> None:
        """Announce until stopped. An outage only makes this worker invisible, so it is no failure."""
        while not stop.is_set():
            try:
                await self.announce(describe())
            except RedisError as error:
                _log.warning("presence is not announced: %s", error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), INTERVAL.total_seconds())
        with contextlib.suppress(RedisError):
            await self.withdraw(describe().name)
