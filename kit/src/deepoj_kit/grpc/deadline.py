"""The deadline of the call being served, so that calls made on its behalf do not outlive it."""

from __future__ import annotations

import time
from contextvars import ContextVar

_DEADLINE: ContextVar[float | None] = ContextVar("deepoj_call_deadline", default=None)


def serve_until(seconds: float) -> None:
    _DEADLINE.set(time.monotonic() + seconds)


def at_most(seconds: float) -> float:
    """Shorten a time-out to what the served call has left."""
    deadline = _DEADLINE.get()
    return seconds if deadline is None else max(0.0, min(seconds, deadline - time.monotonic()))
