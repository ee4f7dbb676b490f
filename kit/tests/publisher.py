"""Append typed messages to one stream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.clock import Clock, system_clock
from deepoj_kit.streams.codec import Codec
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.streams.retention import Retention
from deepoj_kit.telemetry import TRACEPARENT, current_traceparent

T = TypeVar("T")


class Publisher(Generic[T]):
    def __init__(
        self,
        redis: Redis,
        stream: str,
        codec: Codec[T],
        retention: Retention | None = None,
        clock: Clock = system_clock,
    ) -> None:
        self._redis = redis
        self._stream = stream
        self._codec = codec
        self._retention = retention
        self._clock = clock

    async def publish(self, messages: Sequence[T]) -> list[str]:
        """Append all in one round trip and return the entry ids; raise Unavailable when in doubt."""
        traceparent = current_traceparent()
        extra = {TRACEPARENT: traceparent} if traceparent else {}
        entries = [
            NewEntry(self._stream, self._codec.encode(message) | extra, self._retention)
            for message in messages
        ]
        added: list[str] = []
        for result in await append(self._redis, entries, self._clock()):
            if isinstance(result, RedisError):
                raise result
            added.append(result)
        return added
