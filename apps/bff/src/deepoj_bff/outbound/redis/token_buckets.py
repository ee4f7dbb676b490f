"""Token buckets that all front doors share; while Redis is away each has its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from cachetools import LRUCache
from redis.asyncio import Redis

from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_kit.batching import Batched
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable

_KEPT: Final = 10_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# Compare and set: a bucket that somebody else changed is read again.
_SWAP: Final = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
return 1
"""
# Key, what is expected there, what replaces it, and when that may be forgotten.
_Swap = tuple[str, int | str, int, int]
_log = logging.getLogger(__name__)


class RedisTokenBuckets:
    """Fails open, but not wide: without Redis an account gets its rate from every front door."""

    def __init__(
        self, redis: Redis, prefix: str, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._redis = redis
        self._prefix = prefix
        self._clock = clock
        # What was stored from here last is most likely still there; if not, the swap will tell. A bucket only
        # fills later and later, so one refused by an old state is refused by the new one too.
        self._stored: LRUCache[str, TokenBucket] = LRUCache(_KEPT)
        self._swaps = Batched(self._swap_all)
        self._own: LRUCache[str, TokenBucket] = LRUCache(_KEPT)

    async def get(self, key: str) -> TokenBucket | None:
        # Taken out: after a swap that failed, the next question is for Redis.
        stored = self._stored.pop(key, None)
        if stored is not None:
            return stored if stored.full_at > self._clock() else None
        try:
            with translated():
                found = cast("bytes | None", await self._redis.get(self._prefix + key))
        except Unavailable as error:
            _log.warning("rate limits are kept by this process alone: %s", error)
            return self._own.get(key)
        return None if found is None else TokenBucket(_EPOCH + timedelta(microseconds=int(found)))

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket) -> bool:
        full_at = _micros(new)
        swap = (self._prefix + key, "" if seen is None else _micros(seen), full_at, full_at // 1000 + 1)
        try:
            done = await self._swaps(swap)
        except Unavailable:
            self._own[key] = new
            return True
        if done:
            self._stored[key] = new
        return done

    async def _swap_all(self, swaps: Sequence[_Swap]) -> list[bool]:
        pipeline = self._redis.pipeline(transaction=False)
        for swap in swaps:
            _ = pipeline.eval(_SWAP, 1, *map(str, swap))
        with translated():
            return [bool(done) for done in await pipeline.execute()]


def _micros(bucket: TokenBucket) -> int:
    return (bucket.full_at - _EPOCH) // timedelta(microseconds=1)
