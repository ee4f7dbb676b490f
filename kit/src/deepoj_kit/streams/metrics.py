"""Numbers of a consumer."""

from __future__ import annotations

from deepoj_kit.telemetry import counter, gauge, histogram

_DELIVERIES = counter(
    "stream_deliveries", "Entries handled, by outcome and reason", ("stream", "group", "outcome", "reason")
)
_RECLAIMED = counter(
    "stream_reclaimed", "Entries taken over from a consumer that did not finish them", ("stream", "group")
)
_LOST_GROUPS = counter(
    "stream_groups_lost",
    "Times the group was gone and began its stream anew",
    ("stream", "group"),
)
_INTERRUPTIONS = counter("stream_interruptions", "Reads and acknowledgements that failed", ("group", "what"))
_WAIT = histogram("stream_wait_seconds", "From append to the start of handling", ("stream", "group"))
_HANDLING = histogram("stream_handling_seconds", "Length of a handler call", ("stream", "group"))
_IN_FLIGHT = gauge("stream_in_flight", "Entries being handled", ("group",))


class ConsumerMetrics:
    def __init__(self, group: str) -> None:
        self._group = group
        self._running = 0

    def outcome(self, stream: str, outcome: str, reason: str = "") -> None:
        _DELIVERIES.add(stream=stream, group=self._group, outcome=outcome, reason=reason)

    def reclaimed(self, stream: str) -> None:
        _RECLAIMED.add(stream=stream, group=self._group)

    def lost_group(self, stream: str, times: int = 1) -> None:
        _LOST_GROUPS.add(times, stream=stream, group=self._group)

    def interrupted(self, what: str) -> None:
        _INTERRUPTIONS.add(group=self._group, what=what)

    def started(self, stream: str, waited: float) -> None:
        _WAIT.record(max(0.0, waited), stream=stream, group=self._group)

    def handled(self, stream: str, seconds: float) -> None:
        _HANDLING.record(seconds, stream=stream, group=self._group)

    def in_flight(self, change: int) -> None:
        self._running += change
        _IN_FLIGHT.set(self._running, group=self._group)
