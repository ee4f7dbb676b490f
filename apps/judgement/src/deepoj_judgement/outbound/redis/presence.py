"""Who judges: one key a worker, alive for as long as it is renewed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, cast

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.language import language_slug
from deepoj_judgement.queries.list_workers import WorkerView
from deepoj_kit.telemetry import gauge

_log = logging.getLogger(__name__)
TTL = timedelta(seconds=15)
INTERVAL = timedelta(seconds=5)
_DECODER = msgspec.json.Decoder(WorkerView)
_NAME: Final = re.compile(r"[\x21-\x7e]{1,128}")
_MOST_BYTES: Final = 16 * 1024
_MOST_TROUBLE: Final = 2000
_MOST: Final = 2**31
_YEARS: Final = range(2000, 3000)
_ALIVE = gauge("workers_alive", "Workers that announce themselves, this one included")


class Presence:
    """The set of names beside the keys spares readers a scan of all of Redis; its dead names fall out."""

    def __init__(self, redis: Redis, env: str, clock: Callable[[], datetime]) -> None:
        self._redis = redis
        self._names = f"deepoj:{env}:workers"
        self._clock = clock

    async def announce(self, worker: WorkerView) -> None:
        now = self._clock().timestamp()
        told = msgspec.json.encode(replace(worker, trouble=worker.trouble[:_MOST_TROUBLE]))
        pipeline = self._redis.pipeline(transaction=False)
        _ = pipeline.set(f"{self._names}:{worker.name}", told, ex=TTL)
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
        keys = [f"{self._names}:".encode() + name for name in names]
        found = cast("list[bytes | None]", await self._redis.mget(keys))
        told = (_believed(name, text) for name, text in zip(names, found, strict=True) if text is not None)
        return [each for each in told if each is not None]

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


def _believed(name: bytes, told: bytes) -> WorkerView | None:
    """Every judge host may write here, and one that writes nonsense must not hide the others."""
    try:
        found = _DECODER.decode(told[: _MOST_BYTES + 1])
        if found.name.encode() == name and _is_plausible(found):
            return found
    except (msgspec.DecodeError, InvalidValueError):
        pass
    _log.warning("what %r announces is nothing that a worker says", name[:128])
    return None


def _is_plausible(worker: WorkerView) -> bool:
    numbers = (worker.running, worker.capacity, worker.memory_mib, worker.speed_percent)
    for each in worker.languages:
        language_slug(each)
    return (
        _NAME.fullmatch(worker.name) is not None
        and all(0 <= number < _MOST for number in numbers)
        and all(each.tzinfo and each.year in _YEARS for each in (worker.started_at, worker.seen_at))
    )
