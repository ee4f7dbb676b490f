"""Whether a store answers soon."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

_log = logging.getLogger(__name__)
_SOON: Final = 1.0


class StoreProbe:
    def __init__(self, name: str, ping: Callable[[], Awaitable[object]]) -> None:
        self._name = name
        self._ping = ping

    async def is_there(self) -> bool:
        try:
            async with asyncio.timeout(_SOON):
                await self._ping()
        except Exception as error:  # noqa: BLE001 — whatever it is, the store is of no use now
            _log.info("%s does not answer: %s", self._name, error)
            return False
        return True
