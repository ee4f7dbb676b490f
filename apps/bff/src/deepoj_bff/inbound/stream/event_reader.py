"""The one reader of the event streams in this process. It belongs to no group: every front door reads all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Protocol, cast

from redis.asyncio import Redis
from redis.typing import KeyT, StreamIdT

from deepoj_kit.backoff import Backoff, wait_first
from deepoj_kit.streams.commands import START, newest_id
from deepoj_kit.streams.connection import translated
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
_BLOCK_MS = 1000
_COUNT = 512
Fields = Mapping[bytes, bytes]


class Listener(Protocol):
    from_start: bool
    """Whether it wants the events kept from before, or only those from now on."""

    def on_event(self, position: str, fields: Fields) -> None: ...

    def on_following(self, position: str) -> None:
        """After this position nothing is missed; before it, something may have been."""
        ...

    def on_lost(self) -> None:
        """Events do not arrive any more."""
        ...


class EventReader:
    def __init__(self, redis: Redis, listeners: Mapping[str, Listener]) -> None:
        self._redis = redis
        self._listeners = listeners
        self._positions: dict[str, str] = {}
        self._backoff = Backoff()

    async def run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                await self._begin()
                failures = 0
                while not stop.is_set():
                    await self._read(_BLOCK_MS)
            except Unavailable as error:
                failures += 1
                _log.warning("following events is interrupted: %s", error)
                for listener in self._listeners.values():
                    listener.on_lost()
                await wait_first(stop, timeout=self._backoff.jittered(failures))

    async def _begin(self) -> None:
        for stream, listener in self._listeners.items():
            if stream not in self._positions:
                self._positions[stream] = (
                    START if listener.from_start else await newest_id(self._redis, stream)
                )
        # The events that are there already are read before the listeners are told that they have them all.
        while await self._read(None):
            pass
        for stream, listener in self._listeners.items():
            listener.on_following(self._positions[stream])

    async def _read(self, block: int | None) -> bool:
        with translated():
            wanted: dict[KeyT, StreamIdT] = dict(self._positions.items())
            reply = await self._redis.xread(wanted, count=_COUNT, block=block)
        parts = cast("list[tuple[bytes, list[tuple[bytes, Fields]]]]", reply)
        for stream, entries in parts or ():
            name = stream.decode()
            for entry_id, fields in entries:
                self._positions[name] = entry_id.decode()
                self._listeners[name].on_event(entry_id.decode(), fields)
        return bool(parts)
