"""Trace context as one string, to carry it in metadata, rows and messages."""

from __future__ import annotations

from functools import cache

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

TRACEPARENT = "traceparent"
_PROPAGATOR = TraceContextTextMapPropagator()


# Asking for one takes as long as a span. Before the provider is set it is a proxy, which may be kept too.
tracer = cache(trace.get_tracer)


def current_traceparent() -> str:
    """Return the W3C traceparent of the current span, empty outside one."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get(TRACEPARENT, "")


def parent_from(traceparent: str | None) -> Context:
    """Return a context to pass as `context=` when starting a span; a malformed text starts a new trace."""
    return _PROPAGATOR.extract({TRACEPARENT: traceparent} if traceparent else {}, context=Context())


def trace_id() -> str:
    """Return the id of the current trace as hexadecimal digits, empty outside one."""
    span = trace.get_current_span().get_span_context()
    return trace.format_trace_id(span.trace_id) if span.is_valid else ""
