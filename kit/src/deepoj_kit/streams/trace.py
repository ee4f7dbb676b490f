"""Trace context over a stream: one `traceparent` field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

TRACEPARENT = "traceparent"
_PROPAGATOR = TraceContextTextMapPropagator()


def current_traceparent() -> str | None:
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier)
    return carrier.get(TRACEPARENT)


def remote_context(fields: Mapping[str, str]) -> Context:
    """Return the sender's context, or an empty one when the field is missing or malformed."""
    carrier = {TRACEPARENT: fields[TRACEPARENT]} if TRACEPARENT in fields else {}
    return _PROPAGATOR.extract(carrier, Context())


@contextmanager
def consuming(group: str, stream: str, senders: Sequence[Context]) -> Iterator[None]:
    """Open the span of one handler call.

    It continues the trace of a single message. A batch has several senders and one parent at most, so
    it starts a trace of its own. Both are linked to every sender.
    """
    spans = [trace.get_current_span(sender).get_span_context() for sender in senders]
    with trace.get_tracer(__name__).start_as_current_span(
        f"{group} process",
        context=senders[0] if len(senders) == 1 else Context(),
        kind=trace.SpanKind.CONSUMER,
        links=[trace.Link(span) for span in spans if span.is_valid],
        attributes={
            "messaging.system": "redis",
            "messaging.destination.name": stream,
            "messaging.consumer.group.name": group,
            "messaging.batch.message_count": len(senders),
        },
    ):
        yield
