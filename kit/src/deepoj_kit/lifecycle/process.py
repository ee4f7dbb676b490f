"""What a process is made of, in the order it was started."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import timedelta
from typing import TypeVar

from deepoj_kit.lifecycle.readiness import CHECK_TIMEOUT, Check, Readiness

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Process:
    """Handed to the start function; what it is given is stopped in reverse order."""

    def __init__(self) -> None:
        self.readiness = Readiness()
        self.stopping = asyncio.Event()
        self.failure: str = ""
        self._parts = AsyncExitStack()

    async def enter(self, part: AbstractAsyncContextManager[T]) -> T:
        """Start a part (pool, server, consumer …) now; it is closed after all parts entered later."""
        return await self._parts.enter_async_context(part)

    def first_stop(self, part: Callable[[], None]) -> None:
        """Call this before the parts are closed that were started until now: they would wait for it."""
        self._parts.callback(part)

    def check(self, name: str, check: Check, timeout: timedelta = CHECK_TIMEOUT) -> None:
        """Make /readyz depend on this check: it fails by raising or by being late."""
        self.readiness.add_check(name, check, timeout)

    def background(
        self, name: str, work: Coroutine[object, object, object], *, stop: Callable[[], None] | None = None
    ) -> None:
        """Run `work` until the process stops; if it ends before, the process ends with a failure.

        `stop` asks it to finish what it has in hand; without one it is cancelled.
        """
        task = asyncio.create_task(work, name=name)
        task.add_done_callback(self._background_ended)
        self._parts.push_async_callback(_end, task, stop)

    def loop(self, name: str, run: Callable[[asyncio.Event], Coroutine[object, object, object]]) -> None:
        """Run a loop of the form `run(stop)` in the background, with a stop of its own."""
        stop = asyncio.Event()
        self.background(name, run(stop), stop=stop.set)

    def stop(self) -> None:
        """Begin to drain, as SIGTERM does."""
        self.stopping.set()

    def fail(self, reason: str) -> None:
        self.failure = self.failure or reason
        self.stopping.set()

    async def close(self) -> None:
        await self._parts.aclose()

    def _background_ended(self, task: asyncio.Task[object]) -> None:
        if task.cancelled() or (self.stopping.is_set() and task.exception() is None):
            return
        error = task.exception()
        reason = f"{type(error).__name__}: {error}" if error else "it returned"
        _log.critical("background task %s ended: %s", task.get_name(), reason, exc_info=error)
        self.fail(f"background task {task.get_name()} ended: {reason}")


async def _end(task: asyncio.Task[object], stop: Callable[[], None] | None) -> None:
    if stop is None:
        task.cancel()
    else:
        stop()
    try:
        # Not `await task`: its exception was logged when it ended and must not be raised once more here.
        await asyncio.wait({task})
    finally:
        task.cancel()
