"""One handler call: decode, handle, settle. The order of these is the whole guarantee."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from opentelemetry import trace
from opentelemetry.context import Context
from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.streams.codec import MESSAGE_ID, Codec, NotForUs, Undecodable, decode_text
from deepoj_kit.streams.commands import Entry, acknowledge
from deepoj_kit.streams.metrics import ConsumerMetrics
from deepoj_kit.streams.outcomes import (
    BatchHandler,
    Delivery,
    Done,
    Dropped,
    Failed,
    Kept,
    Outcome,
    Poison,
    PoisonHandler,
    failure,
)
from deepoj_kit.streams.reader import Received
from deepoj_kit.telemetry import TRACEPARENT, parent_from, tracer
from deepoj_kit.unavailable import Unavailable


@contextmanager
def consuming(group: str, stream: str, senders: Sequence[Context]) -> Iterator[None]:
    """Open the span of one handler call.

    It continues the trace of a single message. A batch has several senders and one parent at most, so
    it starts a trace of its own. Both are linked to every sender.
    """
    spans = [trace.get_current_span(sender).get_span_context() for sender in senders]
    with tracer(__name__).start_as_current_span(
        f"{group} process",
        context=senders[0] if len(senders) == 1 else Context(),
        kind=trace.SpanKind.CONSUMER,
        links=[trace.Link(span) for span in spans if span.is_valid],
        attributes={
            "messaging.system": "redis",
            "messaging.destination.name": stream,
            "messaging.consumer.group.name": group,
            "messaging.batch.message_count": len(senders),
        },
    ):
        yield


T = TypeVar("T")
_log = logging.getLogger(__name__)


class Processor(Generic[T]):
    def __init__(
        self,
        redis: Redis,
        group: str,
        codec: Codec[T],
        handler: BatchHandler[T],
        on_poison: PoisonHandler | None,
        metrics: ConsumerMetrics,
        on_acknowledged: Callable[[], None] = lambda: None,
    ) -> None:
        self._redis = redis
        self._group = group
        self._codec = codec
        self._handler = handler
        self._on_poison = on_poison
        self._metrics = metrics
        self._on_acknowledged = on_acknowledged

    async def process(self, received: Sequence[Received]) -> bool:
        """Handle the entries and acknowledge what is settled; return whether the system worked."""
        settled: list[Entry] = []
        readable: list[tuple[Entry, Delivery[T]]] = []
        healthy = True
        for item in received:
            try:
                readable.append((item.entry, self._decode(item)))
            except NotForUs:
                self._metrics.outcome(item.entry.stream, "ignored")
                settled.append(item.entry)
            except Undecodable as error:
                buried = await self._bury(item.entry, error)
                settled += [item.entry] if buried else []
                healthy = healthy and buried
        if readable:
            outcomes = await self._handle([delivery for _, delivery in readable])
            for (entry, delivery), outcome in zip(readable, outcomes, strict=True):
                settled += [entry] if self._settles(delivery, outcome) else []
            healthy = healthy and not any(isinstance(outcome, Failed) for outcome in outcomes)
        return await self._acknowledge(settled) and healthy

    def _decode(self, item: Received) -> Delivery[T]:
        entry = item.entry
        fields = decode_text(entry.fields)
        return Delivery(
            message=self._codec.decode(fields),
            message_id=fields.get(MESSAGE_ID, entry.id),
            stream=entry.stream,
            entry_id=entry.id,
            count=item.count,
            reclaimed=item.reclaimed,
            context=parent_from(fields.get(TRACEPARENT)),
        )

    async def _bury(self, entry: Entry, error: Undecodable) -> bool:
        _log.warning("entry %s of %s is poison: %s", entry.id, entry.stream, error)
        try:
            if self._on_poison is not None:
                await self._on_poison(
                    Poison(entry.stream, entry.id, entry.fields, error.reason, detail=str(error))
                )
        except Exception as hook_error:  # noqa: BLE001 — a poison nobody recorded has to stay pending
            self._metrics.outcome(entry.stream, "failed", failure(hook_error, entry.stream).reason)
            return False
        self._metrics.outcome(entry.stream, "poison", error.reason)
        return True

    async def _handle(self, batch: Sequence[Delivery[T]]) -> Sequence[Outcome]:
        stream = batch[0].stream
        begun = time.monotonic()
        try:
            with consuming(self._group, stream, [delivery.context for delivery in batch]):
                outcomes = await self._handler(batch)
            if len(outcomes) != len(batch):
                raise RuntimeError(f"{len(batch)} deliveries but {len(outcomes)} outcomes")  # noqa: TRY301 — a failure like any other
        except Exception as error:  # noqa: BLE001 — whatever it is, the entries have to stay pending
            outcomes = [failure(error, stream)] * len(batch)
        self._metrics.handled(stream, time.monotonic() - begun)
        return outcomes

    def _settles(self, delivery: Delivery[T], outcome: Outcome) -> bool:
        match outcome:
            case Done():
                self._metrics.outcome(delivery.stream, "done")
                return True
            case Dropped(reason):
                self._metrics.outcome(delivery.stream, "refused", reason)
                _log.info("message %s of %s is refused: %s", delivery.message_id, delivery.stream, reason)
                return True
            case Kept(reason):
                self._metrics.outcome(delivery.stream, "kept", reason)
                return False
            case Failed(reason):
                self._metrics.outcome(delivery.stream, "failed", reason)
                return False

    async def _acknowledge(self, entries: Sequence[Entry]) -> bool:
        """Acknowledge, trying twice; what is left pending comes back and meets the inbox or a fence."""
        for _ in range(2 if entries else 0):
            try:
                await acknowledge(self._redis, self._group, entries)
            except (Unavailable, RedisError) as error:
                self._metrics.interrupted("acknowledge")
                _log.warning("%d entries could not be acknowledged: %s", len(entries), error)
            else:
                self._on_acknowledged()
                return True
        return not entries
