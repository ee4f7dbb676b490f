"""Answers of another service, believed for a moment."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from deepoj_record.commands.ports import Clock

K = TypeVar("K")
V = TypeVar("V")
# Everybody acts on an answer for at most so long after it changed.
_FRESH: Final = timedelta(seconds=3)
# One caller's short deadline must not hide the answer from everybody for long.
_UNANSWERED: Final = timedelta(milliseconds=300)
_MOST_KNOWN: Final = 10_000


@dataclass(slots=True)
class _Known(Generic[V]):
    until: datetime
    answer: asyncio.Task[V | None]


class RecentAnswers(Generic[K, V]):
    """Those who ask at the same time share one call, and whoever asks soon after its answer."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._known: dict[K, _Known[V]] = {}

    async def get(self, key: K, ask: Callable[[], Awaitable[V | None]]) -> V | None:
        """Return the answer; None when there is none, which is asked again sooner."""
        now = self._clock()
        known = self._known.get(key)
        if known is None or known.until <= now:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = _Known(now + _FRESH, asyncio.create_task(self._ask(key, ask)))
        # One of those who wait may give up; the others still want the answer.
        return await asyncio.shield(known.answer)

    async def _ask(self, key: K, ask: Callable[[], Awaitable[V | None]]) -> V | None:
        answer = await ask()
        known = self._known.get(key)
        if answer is None and known is not None:
            known.until = self._clock() + _UNANSWERED
        return answer
