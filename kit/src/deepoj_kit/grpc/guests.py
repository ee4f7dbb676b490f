"""Callers that are no service of ours: each has a credential of its own, good for a few calls."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

from deepoj_kit.clock import Clock
from deepoj_kit.single_flight import RecentAnswers

_GUEST: ContextVar[str | None] = ContextVar("deepoj_calling_guest", default=None)


@dataclass(frozen=True, slots=True)
class Guests:
    methods: frozenset[str]
    """Of the form `/package.Service/Method`; all others are refused."""
    identify: Callable[[str], Awaitable[str | None]]
    """Returns who shows this credential; None when it is nobody's, or not any more."""


class KnownGuests:
    """Remembers for three seconds who showed a credential; so long a revoked one may still be believed."""

    def __init__(self, identify: Callable[[str], Coroutine[Any, Any, str | None]], clock: Clock) -> None:
        self._identify = identify
        self._recent = RecentAnswers[bytes, str](clock)

    async def __call__(self, credential: str) -> str | None:
        key = hashlib.sha256(credential.encode()).digest()
        return await self._recent.get(key, partial(self._identify, credential))


def serve_guest(name: str | None) -> None:
    _GUEST.set(name)


def calling_guest() -> str | None:
    """Return the guest whose call is being served; None when one of our services called."""
    return _GUEST.get()
