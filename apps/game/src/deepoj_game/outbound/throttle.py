"""Token buckets in the memory of this process; those used last are kept."""

from __future__ import annotations

from collections.abc import Hashable
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from deepoj_domain.kernel.token_bucket import RateLimit, TokenBucket
from deepoj_kit.clock import Clock

_MOST: Final = 10_000


class MemoryThrottle:
    def __init__(self, limit: RateLimit, clock: Clock, most: int = _MOST) -> None:
        self._limit = limit
        self._clock = clock
        self._buckets: LRUCache[Hashable, TokenBucket] = LRUCache(most)

    def take(self, key: Hashable) -> timedelta | None:
        now = self._clock()
        bucket = self._buckets.get(key, TokenBucket(now))
        if wait := bucket.wait(self._limit, now):
            return wait
        self._buckets[key] = bucket.taken(self._limit, now)
        return None

    def give_back(self, key: Hashable) -> None:
        if key in self._buckets:
            self._buckets[key] = self._buckets[key].given_back(self._limit)
