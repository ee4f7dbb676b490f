"""Logs, traces and metrics, set up once for a process."""

from deepoj_kit.telemetry.logs import tell
from deepoj_kit.telemetry.metrics import Counter, Gauge, Histogram, counter, gauge, histogram
from deepoj_kit.telemetry.setup import Telemetry, configure
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
    "Telemetry",
    "bind",
    "bound",
    "configure",
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
