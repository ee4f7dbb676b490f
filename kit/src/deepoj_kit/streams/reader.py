"""Reads a group's entries from several streams: new ones by priority, and abandoned ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from deepoj_kit.streams.commands import (
    START,
    Entry,
    ReadByPriority,
    claim_idle,
    create_group,
    delivery_counts,
    forget_consumer,
    give_back,
    read_group,
    silent_consumers,
)
from deepoj_kit.streams.metrics import ConsumerMetrics
from deepoj_kit.streams.options import no_parts


@dataclass(frozen=True, slots=True)
class Received:
    entry: Entry
    count: int = 1
    reclaimed: bool = False


class GroupReader:
    def __init__(
        self,
        redis: Redis,
        group: str,
        consumer: str,
        streams: Sequence[str],
        favour_every: int,
        metrics: ConsumerMetrics,
        parts_of: Callable[[str], Sequence[str]] = no_parts,
    ) -> None:
        self._redis = redis
        self._group = group
        self._consumer = consumer
        self._wholes = tuple(streams)
        self._parts_of = parts_of
        self._favour_every = favour_every
        self._metrics = metrics
        self._with_group: set[str] = set()
        self._passes = 0
        self._cursors: dict[str, str] = {}
        self._read_by_priority = ReadByPriority(redis, group, consumer)

    @property
    def _streams(self) -> tuple[str, ...]:
        return self._with_parts(self._wholes)

    def _with_parts(self, wholes: Sequence[str]) -> tuple[str, ...]:
        """What is in a part was at the head of its stream before: it goes first."""
        return tuple(name for whole in wholes for name in (*self._parts_of(whole), whole))

    async def create_groups(self) -> None:
        for stream in self._streams:
            created = await create_group(self._redis, stream, self._group)
            self._metrics.lost_group(stream, 1 if created and stream in self._with_group else 0)
            self._with_group.add(stream)

    async def read(self, capacity: int) -> list[Received]:
        """Return up to `capacity` new entries that are there already."""
        try:
            order = self._order()
            entries = await self._read_by_priority(order, capacity)
            self._with_group.update(order)
            return [Received(entry) for entry in entries]
        except ResponseError as error:
            await self._recover(error)
            return []

    async def wait(self, capacity: int, block: float) -> list[Received]:
        """Return the first entries that come within `block` seconds.

        With several streams a few more than `capacity` may come: one of each that has any. COUNT is per
        stream, so only a count of one keeps this from taking much more than there is room for.
        """
        try:
            streams = self._streams
            count = capacity if len(streams) == 1 else 1
            entries = await read_group(self._redis, self._group, self._consumer, streams, count, block)
            return [Received(entry) for entry in entries]
        except ResponseError as error:
            await self._recover(error)
            return []

    async def give_back(self, received: Sequence[Received], min_idle: float) -> None:
        entries = [item.entry for item in received]
        await give_back(self._redis, self._group, self._consumer, entries, min_idle)

    async def leave(self) -> None:
        """Take the name of this consumer out of its groups, where it has left nothing behind."""
        for stream in self._streams:
            await forget_consumer(self._redis, self._group, self._consumer, stream)

    async def forget_silent(self, seconds: float) -> None:
        """Take out the names of consumers that died long ago, where others have taken over all they had."""
        for stream in self._streams:
            # No stream or no group yet: nobody to forget.
            with suppress(ResponseError):
                for name in await silent_consumers(self._redis, self._group, stream, seconds):
                    await forget_consumer(self._redis, self._group, name, stream)

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

    def _order(self) -> Sequence[str]:
        """Return the streams by priority; now and then each of the lower ones in turn goes first."""
        self._passes += 1
        lower = self._wholes[1:]
        if not lower or not self._favour_every or self._passes % self._favour_every:
            return self._streams
        favoured = lower[self._passes // self._favour_every % len(lower)]
        return self._with_parts((favoured, *(stream for stream in self._wholes if stream != favoured)))

    async def _reclaim(self, stream: str, count: int, min_idle: float) -> list[Received]:
        cursor = self._cursors.get(stream, START)
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
