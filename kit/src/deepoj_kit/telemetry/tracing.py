"""Trace context as one string, to carry it in metadata, rows and messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import MappingProxyType

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach
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


@contextmanager
def on_behalf_of(callers: Sequence[Context]) -> Iterator[None]:
    """Work for one caller in its trace, for several in a trace of its own that is linked to theirs."""
    if len(callers) == 1:
        token = attach(callers[0])
        try:
            yield
        finally:
            detach(token)
        return
    spans = (trace.get_current_span(caller).get_span_context() for caller in callers)
    links = [trace.Link(span) for span in spans if span.trace_flags.sampled]
    with tracer(__name__).start_as_current_span("batch", Context(), links=links):
        yield


def is_traced() -> bool:
    """Say whether the current trace is recorded: where it is not, a span is work for nobody."""
    return trace.get_current_span().is_recording()


def trace_id() -> str:
    """Return the id of the current trace as hexadecimal digits, empty outside one."""
    span = trace.get_current_span().get_span_context()
    return trace.format_trace_id(span.trace_id) if span.is_valid else ""


_EMPTY: Mapping[str, object] = MappingProxyType({})
_FIELDS: ContextVar[Mapping[str, object]] = ContextVar("deepoj_log_fields", default=_EMPTY)


class bind:  # noqa: N801 — read as a verb; a class because a generator costs as much again
    """Add fields to the log lines of this block and of the tasks it starts."""

    __slots__ = ("_fields", "_token")

    def __init__(self, **fields: object) -> None:
        self._fields = fields

    def __enter__(self) -> None:
        self._token = _FIELDS.set({**_FIELDS.get(), **self._fields})

    def __exit__(self, *_: object) -> None:
        _FIELDS.reset(self._token)


def bound() -> Mapping[str, object]:
    return _FIELDS.get()
