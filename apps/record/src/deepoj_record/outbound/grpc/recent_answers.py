"""Answers of another service, believed for a moment."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

from cachetools import LRUCache

from deepoj_kit.single_flight import SingleFlight
from deepoj_record.commands.ports import Clock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Ask = Callable[[], Coroutine[Any, Any, V | None]]
# Everybody acts on an answer for at most so long after it was asked for.
_FRESH: Final = timedelta(seconds=3)
# One caller's short deadline must not hide the answer from everybody for long.
_UNANSWERED: Final = timedelta(milliseconds=300)
_MOST_KNOWN: Final = 10_000


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
