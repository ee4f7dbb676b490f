"""Domain events of games as outbox rows."""

from __future__ import annotations

from collections.abc import Iterable

from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.event import DomainEvent
from deepoj_game.outbound.streams import Streams
from deepoj_kit.outbox import Outbox, OutboxRow
from deepoj_kit.postgres import Connection
from deepoj_kit.streams import EventCodec


class Messages:
    def __init__(self, outbox: Outbox, streams: Streams) -> None:
        self._outbox = outbox
        self._streams = streams
        self._codec = EventCodec(EVENTS)

    async def add(self, connection: Connection, events: Iterable[DomainEvent]) -> list[OutboxRow]:
        rows = [self._outbox.compose(self._streams.games, self._codec.encode(event)) for event in events]
        return await self._outbox.add(connection, rows)
