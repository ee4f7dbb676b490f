"""Numbers of the outbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from deepoj_kit.outbox.row import Delivered
from deepoj_kit.telemetry import counter, gauge, histogram

_DISPATCHES = counter(
    "outbox_dispatch", "Rows sent to a stream, or not, and why not", ("sender", "status", "reason")
)
_LATENCY = histogram("outbox_dispatch_latency_seconds", "From a row's creation to its delivery", ("sender",))
_PENDING = gauge("outbox_pending", "Rows not delivered yet")


class OutboxMetrics:
    def __init__(self, sender: str) -> None:
        self._sender = sender

    def delivered(self, rows: Sequence[Delivered], now: datetime) -> None:
        _DISPATCHES.add(len(rows), sender=self._sender, status="delivered", reason="")
        for each in rows:
            _LATENCY.record(max(0.0, (now - each.row.created_at).total_seconds()), sender=self._sender)

    def failed(self, rows: int, reason: str) -> None:
        _DISPATCHES.add(rows, sender=self._sender, status="failed", reason=reason)

    def pending(self, rows: int) -> None:
        _PENDING.set(rows)
