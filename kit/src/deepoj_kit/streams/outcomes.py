"""What a consumer gives to its handler, and what it wants to hear back."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from opentelemetry.context import Context

from deepoj_kit.streams.codec import PoisonReason
from deepoj_kit.unavailable import Unavailable

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delivery(Generic[T]):
    message: T
    message_id: str
    """Stays the same when the sender repeats itself; the entry id does not. Give this one to the inbox."""
    stream: str
    entry_id: str
    count: int
    """How often the entry has been delivered, this time included."""
    reclaimed: bool
    """Taken over from a consumer that did not finish it."""
    context: Context
    """The sender's trace context."""


@dataclass(frozen=True, slots=True)
class Done:
    """Committed: acknowledge."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Rightly without effect, now and for ever: acknowledge, log and count the reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Kept:
    """Nothing is wrong but it cannot be finished now: leave it pending, it comes back after the idle time."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A system failure: leave it pending and slow down. Raising an exception means the same."""

    reason: str


Outcome = Done | Dropped | Kept | Failed
"""Reasons label metrics: take them from a small fixed set."""

BatchHandler = Callable[[Sequence[Delivery[T]]], Awaitable[Sequence[Outcome]]]
Handler = Callable[[Delivery[T]], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Poison:
    """An entry that cannot be decoded."""

    stream: str
    entry_id: str
    fields: dict[bytes, bytes]
    reason: PoisonReason
    detail: str


PoisonHandler = Callable[[Poison], Awaitable[None]]


def each(handle: Handler[T]) -> BatchHandler[T]:
    """Make a batch handler that handles one delivery after the other; one failure does not touch the rest."""

    async def handle_batch(batch: Sequence[Delivery[T]]) -> Sequence[Outcome]:
        return [await _guarded(handle, delivery) for delivery in batch]

    return handle_batch


async def _guarded(handle: Handler[T], delivery: Delivery[T]) -> Outcome:
    try:
        return await handle(delivery)
    except Exception as error:  # noqa: BLE001 — whatever it is, the entry has to stay pending
        return failure(error, delivery.stream)


def failure(error: Exception, stream: str) -> Failed:
    """Log what a handler raised; an outage needs no stack trace, anything else does."""
    if isinstance(error, Unavailable):
        _log.warning("handling an entry of %s failed: %s", stream, error)
        return Failed("unavailable")
    _log.error("handling an entry of %s failed", stream, exc_info=error)
    return Failed("exception")
