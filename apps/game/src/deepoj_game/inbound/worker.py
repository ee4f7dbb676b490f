"""The loop that carries out work, one at a time in a process."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from deepoj_game.commands.carry_out_work import CarryOut
from deepoj_kit.backoff import Backoff, run_until, wait_first
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
# What another process left behind when it was killed is found by looking.
_LOOK_AGAIN: Final = 2.0


class Worker:
    """`begun` is set when this process has noted work."""

    def __init__(self, carry_out: CarryOut, begun: asyncio.Event, backoff: Backoff | None = None) -> None:
        self._carry_out = carry_out
        self._begun = begun
        self._backoff = backoff or Backoff(first=0.5, cap=10)

    async def run(self, stop: asyncio.Event) -> None:
        await run_until(stop, self._run(stop))

    async def _run(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            self._begun.clear()
            try:
                while await self._carry_out():
                    pass
                failures = 0
                await wait_first(stop, self._begun, timeout=_LOOK_AGAIN)
            except Exception as error:  # noqa: BLE001 — whatever it is, the work goes on with the next try
                failures += 1
                if isinstance(error, Unavailable):
                    _log.warning("work is interrupted: %s", error)
                await wait_first(stop, timeout=self._backoff.jittered(failures))
