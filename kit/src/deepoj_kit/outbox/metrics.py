"""Numbers of the outbox."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from deepoj_kit.outbox.statements import Delivered
from deepoj_kit.telemetry import counter, gauge, histogram

_log = logging.getLogger(__name__)
_DISPATCHES = counter(
    "outbox_dispatch",
    "Rows sent to a stream, or not, and why not",
    ("sender", "status", "reason"),
    known=[("publisher", "delivered", ""), ("relay", "delivered", "")],
)
_LATENCY = histogram("outbox_dispatch_latency_seconds", "From a row's creation to its delivery", ("sender",))
_PENDING = gauge("outbox_pending", "Rows not delivered yet")
_LOST = counter("outbox_lost", "Delivered rows sent again because their stream had lost entries", ("stream",))


def count_lost(stream: str, rows: int) -> None:
    _LOST.add(rows, stream=stream)


class OutboxMetrics:
    def __init__(self, sender: str) -> None:
        self._sender = sender

    def delivered(self, sent: Sequence[Delivered], marked: Sequence[Delivered], now: datetime) -> None:
        _DISPATCHES.add(len(marked), sender=self._sender, status="delivered", reason="")
        self.already_marked(len(sent) - len(marked))
        for each in marked:
            _LATENCY.record(max(0.0, (now - each.row.created_at).total_seconds()), sender=self._sender)

    def failed(self, rows: int, reason: str) -> None:
        if rows:
            _DISPATCHES.add(rows, sender=self._sender, status="failed", reason=reason)

    def already_marked(self, rows: int) -> None:
        """Somebody else delivered them as well: the stream has each of them twice."""
        if rows:
            _DISPATCHES.add(rows, sender=self._sender, status="repeated", reason="already_marked")
            _log.info("%d rows were delivered by somebody else too", rows)

    def pending(self, rows: int) -> None:
        _PENDING.set(rows)
