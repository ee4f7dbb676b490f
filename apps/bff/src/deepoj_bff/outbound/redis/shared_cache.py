"""The second tier of the caches: what one front door has fetched, the others need not."""

from __future__ import annotations

import logging
from typing import cast

from redis.asyncio import Redis

from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)


class RedisSharedCache:
    """Holds public views only. Its absence costs time, nothing else."""

    def __init__(self, redis: Redis, prefix: str) -> None:
        self._redis = redis
        self._prefix = prefix

    async def get(self, key: str) -> bytes | None:
        try:
            with translated():
                return cast("bytes | None", await self._redis.get(self._prefix + key))
        except Unavailable as error:
            _log.warning("the shared cache is away: %s", error)
            return None

    async def put(self, key: str, value: bytes, seconds: float) -> None:
        try:
            with translated():
                await self._redis.set(self._prefix + key, value, px=round(seconds * 1000))
        except Unavailable as error:
            _log.warning("the shared cache is away: %s", error)
