"""Domain events of accounts as outbox rows, and how much is kept of their stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.outcome import DomainEvent
from deepoj_domain.streams import Streams
from deepoj_kit.outbox import Outbox
from deepoj_kit.postgres import Connection
from deepoj_kit.streams import EventCodec, MaxAge, Retention

# Longer than other events: whoever was away for days must still hear that a person is to be forgotten.
_KEEP: Final = MaxAge(timedelta(days=7))


def retention(streams: Streams) -> Mapping[str, Retention]:
    return {streams.account_events: _KEEP}


class Messages:
    def __init__(self, outbox: Outbox, stream: str) -> None:
        self._outbox = outbox
        self._stream = stream
        self._codec = EventCodec(EVENTS)

    async def add(self, connection: Connection, events: Sequence[DomainEvent]) -> bool:
        """Write them in the caller's transaction; say whether there were any."""
        rows = [self._outbox.compose(self._stream, self._codec.encode(event)) for event in events]
        return bool(await self._outbox.add(connection, rows))
