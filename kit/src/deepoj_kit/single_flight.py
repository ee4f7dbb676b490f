"""One call for all who want the same thing at the same time, and its answer believed for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

from cachetools import LRUCache

from deepoj_kit.clock import Clock

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
V = TypeVar("V")
Ask = Callable[[], Coroutine[Any, Any, V | None]]
# Everybody acts on an answer for at most so long after it was asked for.
_FRESH: Final = timedelta(seconds=3)
# One caller's short deadline must not hide the answer from everybody for long.
_UNANSWERED: Final = timedelta(milliseconds=300)
_MOST_KNOWN: Final = 10_000


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


@dataclass(frozen=True, slots=True)
class _Known(Generic[V]):
    answer: V | None
    until: datetime


class RecentAnswers(Generic[K, V]):
    """Those who ask at the same time share one call, and whoever asks soon after its answer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known = LRUCache[K, _Known[V]](_MOST_KNOWN)
        self._calls = SingleFlight[K, V | None]()

    async def get(self, key: K, ask: Ask[V]) -> V | None:
        """Return the answer; None when there is none, which is asked again sooner."""
        known = self._known.get(key)
        if known is not None and self._clock() < known.until:
            return known.answer
        return await self._calls(key, partial(self._ask, key, ask))

    async def _ask(self, key: K, ask: Ask[V]) -> V | None:
        asked_at = self._clock()
        answer = await ask()
        until = self._clock() + _UNANSWERED if answer is None else asked_at + _FRESH
        self._known[key] = _Known(answer, until)
        return answer
