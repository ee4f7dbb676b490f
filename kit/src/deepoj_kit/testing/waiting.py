"""Wait for a condition instead of for a time."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

_INTERVAL = 0.005


async def eventually(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], within: float = 20.0
) -> None:
    """Return as soon as the condition holds; fail the test when it does not in time."""
    deadline = time.monotonic() + within
    while True:
        found = condition()
        if inspect.isawaitable(found):
            found = await found
        if found:
            return
        if time.monotonic() > deadline:
            raise AssertionError(f"{condition} did not come true within {within:g} s")
        await asyncio.sleep(_INTERVAL)
