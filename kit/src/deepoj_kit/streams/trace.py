"""The span of a handler call, tied to those who sent its messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import Context


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
