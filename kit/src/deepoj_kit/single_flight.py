"""One call for all who want the same thing at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class SingleFlight(Generic[K, T]):
    """Whoever asks for a key while a call for it is under way gets that call's answer, or its error."""

    def __init__(self) -> None:
        self._calls: dict[K, asyncio.Task[T]] = {}

    async def __call__(self, key: K, call: Callable[[], Coroutine[object, object, T]]) -> T:
        # Shielded: a caller that gives up must not take the answer from the others.
        return await asyncio.shield(self.begin(key, call))

    def begin(self, key: K, call: Callable[[], Coroutine[object, object, T]]) -> asyncio.Task[T]:
        """Call, unless a call is under way, without waiting for the answer."""
        task = self._calls.get(key)
        if task is None:
            task = self._calls[key] = asyncio.create_task(call())
            task.add_done_callback(lambda done: self._end(key, done))
        return task

    def forget(self, key: K) -> None:
        """Share the call that is under way with nobody else: whoever asks from now on begins another."""
        self._calls.pop(key, None)

    def is_forgotten(self, key: K) -> bool:
        """Tell the call that asks whether it was forgotten: its answer may be from before a change."""
        return self._calls.get(key) is not asyncio.current_task()

    def _end(self, key: K, task: asyncio.Task[T]) -> None:
        if self._calls.get(key) is task:
            del self._calls[key]
        if not task.cancelled():
            # Those who wait are given the error. A call that nobody waits for has nobody to give it to.
            task.exception()
