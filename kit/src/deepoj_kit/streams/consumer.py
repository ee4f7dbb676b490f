"""Consume a group of streams: at least once, acknowledged only after the handler has returned."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.clock import system_clock
from deepoj_kit.pacing import Backoff, wait_first
from deepoj_kit.streams.codec import Codec
from deepoj_kit.streams.metrics import ConsumerMetrics
from deepoj_kit.streams.outcomes import BatchHandler, PoisonHandler
from deepoj_kit.streams.processor import Processor
from deepoj_kit.streams.reader import GroupReader, Received
from deepoj_kit.unavailable import Unavailable

T = TypeVar("T")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ConsumerOptions:
    """Times are in seconds."""

    calls: int = 1
    """Handler calls at the same time."""
    batch: int = 64
    """Entries per handler call at most; never waited for."""
    block: float = 1.0
    """Longest blocking read, so the longest wait before a stop is noticed. Below the client's time-out."""
    min_idle: float = 75.0
    """Entries idle for longer are taken over from whoever has them: above the longest time of handling."""
    reclaim_interval: float = 5.0
    reclaim_count: int = 16
    reverse_every: int = 16
    """Every so many reads the last stream goes first, lest it starve; 0 never."""
    drain_timeout: float = 10.0
    """Time for running handlers after a stop."""
    backoff: Backoff = field(default_factory=Backoff)
    on_acknowledged: Callable[[], None] = lambda: None
    """Called after each acknowledgement that the server has confirmed."""


class Consumer(Generic[T]):
    """Give it to a task as `run(stop)`: after the stop it returns when its handlers are done or out of time.

    `streams` are in order of priority. A read is never cut, because entries it was about to bring would stay
    pending with this consumer until somebody takes them over.
    """

    def __init__(
        self,
        redis: Redis,
        *,
        group: str,
        name: str,
        streams: Sequence[str],
        codec: Codec[T],
        handler: BatchHandler[T],
        on_poison: PoisonHandler | None = None,
        options: ConsumerOptions | None = None,
    ) -> None:
        self._options = options or ConsumerOptions()
        self._metrics = ConsumerMetrics(group)
        self._reader = GroupReader(redis, group, name, streams, self._options.reverse_every)
        self._processor = Processor(
            redis, group, codec, handler, on_poison, self._metrics, self._options.on_acknowledged
        )
        self._waiting: deque[list[Received]] = deque()
        self._held: set[tuple[str, str]] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._next_reclaim = 0.0
        self._read_failures = 0
        self._call_failures = 0

    async def run(self, stop: asyncio.Event) -> None:
        stopping = asyncio.create_task(self._notice(stop))
        try:
            while not stop.is_set():
                if not self._free_calls:
                    self._changed.clear()
                    await self._changed.wait()
                    continue
                if not self._waiting:
                    await self._fetch(stop)
                self._start_calls()
        finally:
            stopping.cancel()
            await self._drain()

    async def _notice(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._changed.set()

    @property
    def _free_calls(self) -> int:
        return self._options.calls - len(self._calls)

    async def _fetch(self, stop: asyncio.Event) -> None:
        failures = max(self._call_failures, self._read_failures)
        if failures:
            await wait_first(stop, timeout=self._options.backoff.jittered(failures))
            if stop.is_set():
                return
        try:
            received = await self._receive(self._free_calls * self._options.batch)
            self._read_failures = 0
        except (Unavailable, RedisError) as error:
            self._read_failures += 1
            self._metrics.interrupted("read")
            _log.warning("reading is interrupted: %s", error)
            return
        self._held.update(item.entry.key for item in received)
        size = self._options.batch
        self._waiting.extend(received[start : start + size] for start in range(0, len(received), size))

    async def _receive(self, capacity: int) -> list[Received]:
        options = self._options
        due_in = self._next_reclaim - time.monotonic()
        if due_in <= 0:
            self._next_reclaim = time.monotonic() + options.reclaim_interval
            if found := await self._reclaim(capacity):
                return found
            due_in = options.reclaim_interval
        return await self._reader.read(capacity, min(options.block, due_in))

    async def _reclaim(self, capacity: int) -> list[Received]:
        # As they were before the call: one that is settled while the claim is under way needs no second time.
        held = frozenset(self._held)
        count = min(capacity, self._options.reclaim_count)
        claimed = await self._reader.reclaim(count, self._options.min_idle)
        found = [item for item in claimed if item.entry.key not in held]
        for item in found:
            self._metrics.reclaimed(item.entry.stream)
        return found

    def _start_calls(self) -> None:
        """Start what there is room for, after a stop too: what has been read is better handled than left."""
        while self._waiting and self._free_calls:
            call = asyncio.create_task(self._call(self._waiting.popleft()))
            self._calls.add(call)
            call.add_done_callback(self._ended)

    def _ended(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._changed.set()

    async def _call(self, received: list[Received]) -> None:
        self._metrics.in_flight(len(received))
        now = system_clock().timestamp()
        for item in received:
            self._metrics.started(item.entry.stream, now - item.entry.milliseconds() / 1000)
        healthy = False
        try:
            healthy = await self._processor.process(received)
        except Exception:  # noqa: BLE001 — one broken call must not end the others
            _log.exception("a handler call broke down; its entries stay pending")
        finally:
            self._call_failures = 0 if healthy else self._call_failures + 1
            self._metrics.in_flight(-len(received))
            self._held.difference_update(item.entry.key for item in received)

    async def _drain(self) -> None:
        if not self._calls:
            return
        _, unfinished = await asyncio.wait(self._calls, timeout=self._options.drain_timeout)
        for call in unfinished:
            call.cancel()
        if unfinished:
            _log.warning("%d handler calls were cut; their entries stay pending", len(unfinished))
            await asyncio.wait(unfinished)
