"""Whether a process takes work: not ready, ready, draining; never back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from enum import StrEnum

Check = Callable[[], Awaitable[object]]
Listener = Callable[["State"], Awaitable[None]]
CHECK_TIMEOUT = timedelta(seconds=2)


class State(StrEnum):
    STARTING = "starting"
    READY = "ready"
    DRAINING = "draining"


class Readiness:
    def __init__(self) -> None:
        self.state = State.STARTING
        # What is less than it should be, and yet no reason to refuse work.
        self.degraded: Callable[[], tuple[str, ...]] = tuple
        self._checks: dict[str, tuple[Check, timedelta]] = {}
        self._listeners: list[Listener] = []

    def add_check(self, name: str, check: Check, timeout: timedelta = CHECK_TIMEOUT) -> None:
        """Register a dependency; the check fails by raising or by taking too long."""
        self._checks[name] = (check, timeout)

    def add_listener(self, listener: Listener) -> None:
        self._listeners.append(listener)

    async def move_to(self, state: State) -> None:
        self.state = state
        for listener in self._listeners:
            await listener(state)

    async def failing(self) -> dict[str, str]:
        """Run all checks side by side; return the failing ones with their reason."""
        names = list(self._checks)
        reasons = await asyncio.gather(*(self._reason(name) for name in names))
        return {name: reason for name, reason in zip(names, reasons, strict=True) if reason}

    async def _reason(self, name: str) -> str:
        check, timeout = self._checks[name]
        try:
            async with asyncio.timeout(timeout.total_seconds()):
                await check()
        except TimeoutError:
            return f"no answer within {timeout.total_seconds():g} s"
        except Exception as error:  # noqa: BLE001 — whatever a check raises means "not ready"
            # Only the type: messages of drivers may hold addresses and credentials.
            return type(error).__name__
        return ""
