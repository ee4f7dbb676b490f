"""Who sends outbox rows right after their commit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from deepoj_kit.outbox import OutboxRow, Relay
from deepoj_kit.unavailable import Unavailable

_log = logging.getLogger(__name__)
# In seconds: so long whoever changes a question waits for its event, should Redis not answer.
_PATIENCE: Final = 1.0


class SendBeforeAnswering:
    """Whoever was answered that a question is changed, and then submits, meets what they changed."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    async def __call__(self, rows: Sequence[OutboxRow]) -> None:
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._relay.deliver_due()
        except (Unavailable, TimeoutError) as error:
            _log.warning("%d events are left to the relay: %s", len(rows), error)
            self._relay.wake.set()
