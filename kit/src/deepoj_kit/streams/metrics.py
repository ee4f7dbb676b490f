"""Numbers of a consumer. Labels are stream, outcome and reason; never an id."""

from __future__ import annotations

from opentelemetry.metrics import get_meter


class ConsumerMetrics:
    def __init__(self, group: str) -> None:
        meter = get_meter("deepoj_kit.streams")
        self._group = group
        self._deliveries = meter.create_counter(
            "stream_deliveries", description="Entries handled, by outcome and reason"
        )
        self._reclaimed = meter.create_counter(
            "stream_reclaimed", description="Entries taken over from a consumer that did not finish them"
        )
        self._interruptions = meter.create_counter(
            "stream_interruptions", description="Reads and acknowledgements that failed"
        )
        self._wait = meter.create_histogram(
            "stream_wait", unit="s", description="From append to the start of handling"
        )
        self._handling = meter.create_histogram(
            "stream_handling", unit="s", description="Length of a handler call"
        )
        self._in_flight = meter.create_up_down_counter(
            "stream_in_flight", description="Entries being handled"
        )

    def outcome(self, stream: str, outcome: str, reason: str = "") -> None:
        self._deliveries.add(
            1, {"stream": stream, "group": self._group, "outcome": outcome, "reason": reason}
        )

    def reclaimed(self, stream: str) -> None:
        self._reclaimed.add(1, {"stream": stream, "group": self._group})

    def interrupted(self, what: str) -> None:
        self._interruptions.add(1, {"group": self._group, "what": what})

    def started(self, stream: str, waited: float) -> None:
        self._wait.record(max(0.0, waited), {"stream": stream, "group": self._group})

    def handled(self, stream: str, seconds: float) -> None:
        self._handling.record(seconds, {"stream": stream, "group": self._group})

    def in_flight(self, change: int) -> None:
        self._in_flight.add(change, {"group": self._group})
