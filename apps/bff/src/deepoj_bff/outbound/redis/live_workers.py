"""How many judge workers are alive, from the set in which they announce themselves."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from redis.asyncio import Redis

from deepoj_kit.streams.connection import translated


class RedisLiveWorkers:
    def __init__(self, redis: Redis, env: str, clock: Callable[[], datetime]) -> None:
        self._redis = redis
        self._names = f"deepoj:{env}:workers"
        self._clock = clock

    async def count(self) -> int:
        # A worker's score is the moment until which it is to be taken for alive.
        with translated():
            return int(await self._redis.zcount(self._names, self._clock().timestamp(), "+inf"))
