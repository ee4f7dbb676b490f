"""Reads a group's entries from several streams: new ones by priority, and abandoned ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from deepoj_kit.streams.commands import (
    START,
    Entry,
    claim_idle,
    create_group,
    delivery_counts,
    read_group,
)


@dataclass(frozen=True, slots=True)
class Received:
    entry: Entry
    count: int = 1
    reclaimed: bool = False


class GroupReader:
    def __init__(
        self, redis: Redis, group: str, consumer: str, streams: Sequence[str], reverse_every: int
    ) -> None:
        self._redis = redis
        self._group = group
        self._consumer = consumer
        self._streams = tuple(streams)
        self._reverse_every = reverse_every
        self._passes = 0
        self._cursors = dict.fromkeys(self._streams, START)

    async def create_groups(self) -> None:
        for stream in self._streams:
            await create_group(self._redis, stream, self._group)

    async def read(self, capacity: int, block: float) -> list[Received]:
        """Return up to `capacity` new entries, waiting up to `block` seconds for the first.

        With several streams a few more may come: a blocking read takes one of each that has any.
        """
        try:
            return [Received(entry) for entry in await self._read(capacity, block)]
        except ResponseError as error:
            await self._recover(error)
            return []

    async def reclaim(self, capacity: int, min_idle: float) -> list[Received]:
        """Take over up to `capacity` entries idle for `min_idle` seconds, from where the last call ended."""
        found: list[Received] = []
        try:
            for stream in self._streams:
                if len(found) < capacity:
                    found += await self._reclaim(stream, capacity - len(found), min_idle)
        except ResponseError as error:
            await self._recover(error)
        return found

    async def _read(self, capacity: int, block: float) -> list[Entry]:
        if len(self._streams) == 1:
            return await self._read_streams(self._streams, capacity, block)
        found: list[Entry] = []
        for stream in self._order():
            found += await self._read_streams([stream], capacity - len(found), None)
            if len(found) >= capacity:
                break
        # COUNT is per stream, so only a count of one keeps this from taking much more than there is room for.
        return found or await self._read_streams(self._streams, 1, block)

    def _order(self) -> Sequence[str]:
        """Return the streams by priority, and now and then the other way round so that none starves."""
        self._passes += 1
        reverse = self._reverse_every > 0 and self._passes % self._reverse_every == 0
        return self._streams[::-1] if reverse else self._streams

    async def _read_streams(self, streams: Sequence[str], count: int, block: float | None) -> list[Entry]:
        return await read_group(self._redis, self._group, self._consumer, streams, count, block)

    async def _reclaim(self, stream: str, count: int, min_idle: float) -> list[Received]:
        cursor = self._cursors[stream]
        self._cursors[stream], entries = await claim_idle(
            self._redis, self._group, self._consumer, stream, min_idle, cursor, count
        )
        if not entries:
            return []
        counts = await delivery_counts(self._redis, self._group, stream, [entry.id for entry in entries])
        return [Received(entry, counts.get(entry.id, 1), reclaimed=True) for entry in entries]

    async def _recover(self, error: ResponseError) -> None:
        # The keys are gone (FLUSHALL, a lost file). A blocked reader is told UNBLOCKED, the others NOGROUP.
        if not str(error).startswith(("NOGROUP", "UNBLOCKED")):
            raise error
        await self.create_groups()
