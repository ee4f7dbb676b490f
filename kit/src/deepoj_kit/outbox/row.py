"""One message on its way from a transaction to a stream."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from deepoj_kit.postgres import Connection
from deepoj_kit.streams.codec import MESSAGE_ID


@dataclass(frozen=True, slots=True)
class OutboxRow:
    id: UUID
    stream: str
    key: str | None
    payload: Mapping[str, str]
    headers: Mapping[str, str]
    created_at: datetime
    next_attempt_at: datetime
    """When the relay may take it."""
    publish_at: datetime
    """When it may be in the stream at the earliest."""
    attempts: int = 0

    def fields(self) -> dict[str, str]:
        return {**self.payload, **self.headers, MESSAGE_ID: str(self.id)}


@dataclass(frozen=True, slots=True)
class Delivered:
    row: OutboxRow
    entry_id: str


@dataclass(frozen=True, slots=True)
class Sent:
    """Where a delivered row was put."""

    id: UUID
    entry_id: str
    delivered_at: datetime


OnDelivered = Callable[[Connection, Sequence[Delivered]], Awaitable[None]]
"""Runs in the transaction that marks the rows, with those that this transaction did mark."""
