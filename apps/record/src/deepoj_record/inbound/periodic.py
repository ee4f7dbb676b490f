"""What the clock starts: the watchdog's sweep, the queue's numbers, work that was left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import product

from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.backoff import wait_first
from deepoj_kit.telemetry import gauge, tracer
from deepoj_kit.unavailable import Unavailable
from deepoj_record.commands.ports import ContendedError, NeighbourAwayError
from deepoj_record.commands.redispatch import Redispatch
from deepoj_record.queries.workload import QueueStats

_log = logging.getLogger(__name__)
_DEPTH = gauge("record_queue_depth", "Submissions that wait", ("lane", "band"))
_OLDEST = gauge("record_queue_oldest_seconds", "How long the oldest has waited", ("lane", "band"))
_RUNNING = gauge("record_running", "Submissions being judged")
_STALLED = gauge("record_stalled", "Submissions whose lease has expired")
_DEAD = gauge("record_dead_letters", "Dead submissions nobody has replayed")


async def every(
    interval: timedelta, name: str, work: Callable[[], Awaitable[None]], stop: asyncio.Event
) -> None:
    """Repeat until the stop; a store or a service that is away is met again the next time."""
    while not stop.is_set():
        try:
            with tracer(__name__).start_as_current_span(f"record {name}"):
                await work()
        except (Unavailable, ContendedError, NeighbourAwayError) as error:
            _log.warning("%s is put off: %s", name, error)
        await wait_first(stop, timeout=interval.total_seconds())


class Sweep:
    def __init__(self, redispatch: Redispatch) -> None:
        self._redispatch = redispatch

    async def __call__(self) -> None:
        swept = await self._redispatch()
        if swept.requeued or swept.buried:
            _log.warning("swept: %d sent again, %d given up", swept.requeued, swept.buried)


class Measure:
    def __init__(self, queue_stats: QueueStats) -> None:
        self._queue_stats = queue_stats

    async def __call__(self) -> None:
        state = await self._queue_stats.state()
        depths = {(each.route.lane, each.route.band): each for each in state.queues}
        for lane, band in product(Lane, Band):
            depth = depths.get((lane, band))
            _DEPTH.set(depth.waiting if depth else 0, lane=lane, band=band)
            oldest = depth.oldest_wait.total_seconds() if depth else 0.0
            _OLDEST.set(oldest, lane=lane, band=band)
        _RUNNING.set(state.running)
        _STALLED.set(state.stalled)
        _DEAD.set(state.dead)
