"""Consume a group of streams: at least once, acknowledged only after the handler has returned."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from redis.asyncio import Redis
from redis.exceptions import RedisError

from deepoj_kit.backoff import wait_first
from deepoj_kit.clock import system_clock
from deepoj_kit.streams.codec import Codec
from deepoj_kit.streams.metrics import ConsumerMetrics
from deepoj_kit.streams.options import ConsumerOptions, acquired
from deepoj_kit.streams.outcomes import BatchHandler, PoisonHandler
from deepoj_kit.streams.processor import Processor
from deepoj_kit.streams.reader import GroupReader, Received
from deepoj_kit.unavailable import Unavailable

T = TypeVar("T")
_log = logging.getLogger(__name__)
_A_LOOK = 0.02
_FORGET_EVERY = 600.0
_LEAVING_SECONDS = 1.0


class Consumer(Generic[T]):
    """Give it to a task as `run(stop)`: after the stop it returns when its handlers are done or out of time.

    `streams` are in order of priority. A read is never cut, because entries it was about to bring would stay
    pending with this consumer until somebody takes them over. What came without room for it is given back.
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
        self._permits = self._options.permits
        self._metrics = ConsumerMetrics(group)
        self._reader = GroupReader(
            redis,
            group,
            name,
            streams,
            self._options.favour_every,
            self._metrics,
            self._options.parts_of,
        )
        self._processor = Processor(
            redis, group, codec, handler, on_poison, self._metrics, self._options.on_acknowledged
        )
        self._held: set[tuple[str, str]] = set()
        self._calls: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        self._next_reclaim = 0.0
        self._next_forgetting = 0.0
        self._read_failures = 0
        self._call_failures = 0

    async def run(self, stop: asyncio.Event) -> None:
        stopping = asyncio.create_task(self._notice(stop))
        try:
            while not stop.is_set():
                if held := await self._reserve(stop):
                    await self._fill(held, stop)
        finally:
            stopping.cancel()
            await self._drain()

    async def _notice(self, stop: asyncio.Event) -> None:
        await stop.wait()
        self._changed.set()

    async def _pause(self, stop: asyncio.Event) -> None:
        if failures := max(self._call_failures, self._read_failures):
            await wait_first(stop, timeout=self._options.backoff.jittered(failures))

    @property
    def _free_calls(self) -> int:
        return self._options.calls - len(self._calls)

    async def _reserve(self, stop: asyncio.Event) -> int:
        """Wait until a call may begin; return for how many there are permits, 0 only after a stop."""
        while not (self._free_calls or stop.is_set()):
            self._changed.clear()
            await self._changed.wait()
        await self._pause(stop)
        if stop.is_set() or not await acquired(self._permits, stop):
            return 0
        held = 1
        while held < self._free_calls and await self._permits.try_acquire():
            held += 1
        return held

    async def _fill(self, held: int, stop: asyncio.Event) -> None:
        """Begin calls with what is there; if nothing is, wait for the first that comes, without a permit."""
        try:
            received = await self._attempt(self._receive(held * self._options.batch))
            for part in self._parts(received):
                held -= 1
                self._start(part)
        finally:
            for _ in range(held):
                self._permits.release()
        if not (received or self._read_failures or stop.is_set()):
            await self._await_first(stop)
            # Mostly what comes to an idle consumer comes alone: a pass by priority only after a second one.
            if self._calls and self._free_calls and self._may_wait_on(stop):
                await self._await_first(stop)

    async def _await_first(self, stop: asyncio.Event) -> None:
        came = await self._came()
        while not came and self._may_wait_on(stop):
            came = await self._came()
        without_room: list[Received] = []
        for part in self._parts(came):
            if self._free_calls and await self._permitted_soon():
                self._start(part)
            else:
                without_room += part
        if without_room:
            await self._give_back(without_room)

    def _may_wait_on(self, stop: asyncio.Event) -> bool:
        """After a wait for nothing the streams are empty: a pass by priority would find nothing either."""
        is_due = time.monotonic() >= self._next_reclaim
        has_failed = bool(self._read_failures or self._call_failures)
        return self._permits.left > 0 and not (is_due or has_failed or stop.is_set())

    async def _came(self) -> list[Received]:
        due_in = max(0.0, self._next_reclaim - time.monotonic())
        room = min(self._free_calls, max(1, self._permits.left))
        capacity = room * self._options.batch
        return await self._attempt(self._reader.wait(capacity, min(self._options.block, due_in)))

    async def _permitted_soon(self) -> bool:
        """Another consumer may hold the last permit for no longer than its look for entries takes."""
        try:
            async with asyncio.timeout(_A_LOOK):
                await self._permits.acquire()
        except TimeoutError:
            return False
        return True

    async def _attempt(self, reading: Coroutine[object, object, list[Received]]) -> list[Received]:
        try:
            received = await reading
        except (Unavailable, RedisError) as error:
            self._read_failures += 1
            self._metrics.interrupted("read")
            _log.warning("reading is interrupted: %s", error)
            return []
        self._read_failures = 0
        return received

    def _parts(self, received: Sequence[Received]) -> Iterator[Sequence[Received]]:
        size = self._options.batch
        return (received[start : start + size] for start in range(0, len(received), size))

    async def _give_back(self, received: Sequence[Received]) -> None:
        """Let others have at once what there is no room for; whoever has room first looks for it."""
        self._next_reclaim = 0.0
        try:
            await self._reader.give_back(received, self._options.idle_seconds)
        except (Unavailable, RedisError) as error:
            _log.warning("%d entries could not be given back: %s", len(received), error)

    async def _receive(self, capacity: int) -> list[Received]:
        if time.monotonic() >= self._next_forgetting:
            self._next_forgetting = time.monotonic() + _FORGET_EVERY
            await self._reader.forget_silent(self._options.forget_after)
        if time.monotonic() >= self._next_reclaim:
            self._next_reclaim = time.monotonic() + self._options.reclaim_interval
            if found := await self._reclaim(capacity):
                return found
        return await self._reader.read(capacity)

    async def _reclaim(self, capacity: int) -> list[Received]:
        # As they were before the call: one that is settled while the claim is under way needs no second time.
        held = frozenset(self._held)
        count = min(capacity, self._options.reclaim_count)
        claimed = await self._reader.reclaim(count, self._options.idle_seconds)
        found = [item for item in claimed if item.entry.key not in held]
        for item in found:
            self._metrics.reclaimed(item.entry.stream)
        return found

    def _start(self, received: Sequence[Received]) -> None:
        self._held.update(item.entry.key for item in received)
        call = asyncio.create_task(self._call(received))
        self._calls.add(call)
        call.add_done_callback(self._ended)

    def _ended(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._permits.release()
        self._changed.set()

    async def _call(self, received: Sequence[Received]) -> None:
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
        if self._calls:
            _, unfinished = await asyncio.wait(self._calls, timeout=self._options.drain_timeout)
            for call in unfinished:
                call.cancel()
            if unfinished:
                _log.warning("%d handler calls were cut; their entries stay pending", len(unfinished))
                await asyncio.wait(unfinished)
        with suppress(Unavailable, RedisError, TimeoutError):
            async with asyncio.timeout(_LEAVING_SECONDS):
                await self._reader.leave()
