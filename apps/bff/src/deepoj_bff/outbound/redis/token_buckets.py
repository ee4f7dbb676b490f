"""Token buckets that all front doors share; while Redis is away each has its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, cast

from cachetools import LRUCache
from redis.asyncio import Redis

from deepoj_bff.commands.admission_gate import Place, Swapped
from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_kit.batching import Batched
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable

_KEPT: Final = 10_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
# Compare and set: a bucket that somebody else changed is read again (-1). A place is taken (-2) until it is
# left or its lease ends; without room the answer is how many are taken. What was left long ago is forgotten:
# nobody believes what record said before.
_SWAP: Final = """
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return -1 end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. ARGV[8])
local taken = redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[6], '+inf')
if taken >= tonumber(ARGV[7]) then return taken end
redis.call('SET', KEYS[1], ARGV[2], 'PXAT', ARGV[3])
redis.call('ZADD', KEYS[2], ARGV[5], ARGV[4])
redis.call('PEXPIREAT', KEYS[2], ARGV[9])
return -2
"""
_CHANGED: Final = -1
_TAKEN: Final = -2
_FORGOTTEN: Final = timedelta(minutes=1)
_MILLISECOND: Final = 1000
# Key, and what the script is told.
_Swap = tuple[str, tuple[int | str, ...]]
# Key, place, and when it was left.
_Left = tuple[str, str, int]
_log = logging.getLogger(__name__)


class RedisTokenBuckets:
    """Fails open, but not wide: without Redis an account gets its limits from every front door.

    The clocks of the front doors are taken to agree: those who left at one that is ahead by a moment count at
    the others for that moment more.
    """

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
        self._left = Batched(self._leave_all)
        self._leaving: set[asyncio.Task[None]] = set()
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

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket, place: Place) -> Swapped:
        full_at, ends = _micros(new.full_at), _micros(place.now + place.lease)
        arguments = (
            "" if seen is None else _micros(seen.full_at), full_at, full_at // _MILLISECOND + 1,
            place.id, ends, _micros(place.since), place.room, _micros(place.now - _FORGOTTEN),
            ends // _MILLISECOND + 1,
        )  # fmt: skip
        try:
            outcome = await self._swaps((key, arguments))
        except Unavailable:
            self._own[key] = new
            return Swapped(done=True)
        if outcome == _TAKEN:
            self._stored[key] = new
        return Swapped(done=outcome == _TAKEN, counted=max(0, outcome))

    def leave(self, key: str, place_id: str, now: datetime) -> None:
        """Nobody waits for it: whoever is told of the submission comes back later than this arrives."""
        task = asyncio.create_task(self._leave(key, place_id, _micros(now)))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _leave(self, key: str, place_id: str, now: int) -> None:
        # Without Redis the lease ends it.
        with suppress(Unavailable):
            await self._left((key, place_id, now))

    async def _swap_all(self, swaps: Sequence[_Swap]) -> list[int]:
        pipeline = self._redis.pipeline(transaction=False)
        for key, arguments in swaps:
            _ = pipeline.eval(_SWAP, 2, self._prefix + key, self._places(key), *map(str, arguments))
        with translated():
            return cast("list[int]", await pipeline.execute())

    async def _leave_all(self, left: Sequence[_Left]) -> Sequence[None]:
        pipeline = self._redis.pipeline(transaction=False)
        for key, place_id, now in left:
            _ = pipeline.zadd(self._places(key), {place_id: now}, xx=True)
        with translated():
            await pipeline.execute()
        return [None for _ in left]

    def _places(self, key: str) -> str:
        return f"{self._prefix}{key}:places"


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)
