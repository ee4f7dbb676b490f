"""Numbers of the outbox. Labels are status and reason; never an id."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from opentelemetry.metrics import get_meter

from deepoj_kit.outbox.row import Delivered


class OutboxMetrics:
    def __init__(self, sender: str) -> None:
        meter = get_meter("deepoj_kit.outbox")
        self._sender = sender
        self._dispatches = meter.create_counter(
            "outbox_dispatch", description="Rows sent to a stream, or not, and why not"
        )
        self._latency = meter.create_histogram(
            "outbox_dispatch_latency", unit="s", description="From the row's creation to its delivery"
        )
        self._pending = meter.create_gauge("outbox_pending", description="Rows not delivered yet")

    def delivered(self, rows: Sequence[Delivered], now: datetime) -> None:
        labels = {"sender": self._sender}
        self._dispatches.add(len(rows), {**labels, "status": "delivered", "reason": ""})
        for each in rows:
            self._latency.record(max(0.0, (now - each.row.created_at).total_seconds()), labels)

    def failed(self, rows: int, reason: str) -> None:
        self._dispatches.add(rows, {"sender": self._sender, "status": "failed", "reason": reason})

    def pending(self, rows: int) -> None:
        self._pending.set(rows)
