"""Logs, traces and metrics. A process sets them up once with `setup`, which imports what exports them."""

from deepoj_kit.telemetry.logs import tell
from deepoj_kit.telemetry.metrics import Counter, Gauge, Histogram, counter, gauge, histogram
from deepoj_kit.telemetry.tracing import (
    TRACEPARENT,
    bind,
    bound,
    current_traceparent,
    is_traced,
    on_behalf_of,
    parent_from,
    trace_id,
    tracer,
)

__all__ = [
    "TRACEPARENT",
    "Counter",
    "Gauge",
    "Histogram",
    "bind",
    "bound",
    "counter",
    "current_traceparent",
    "gauge",
    "histogram",
    "is_traced",
    "on_behalf_of",
    "parent_from",
    "tell",
    "trace_id",
    "tracer",
]
