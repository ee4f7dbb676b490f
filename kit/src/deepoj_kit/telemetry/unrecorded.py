"""Traces that nobody is sent: spans have ids, for logs and for other processes, and cost next to nothing.

The SDK decides about each span whether to record it, which takes longer than many a request.
"""
# ruff: noqa: ARG002, FBT001, FBT002, PLR0913, PLR0917 — the signatures of the API

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Final

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import Link, NonRecordingSpan, Span, SpanContext, SpanKind
from opentelemetry.util._decorator import _agnosticcontextmanager
from opentelemetry.util.types import Attributes

_TRACE_BITS: Final = 128
_SPAN_BITS: Final = 64


class UnrecordedTracerProvider(trace.TracerProvider):
    def get_tracer(
        self,
        instrumenting_module_name: str,
        instrumenting_library_version: str | None = None,
        schema_url: str | None = None,
        attributes: Attributes | None = None,
    ) -> trace.Tracer:
        return _TRACER


class _Unrecorded(trace.Tracer):
    def start_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        start_time: int | None = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
    ) -> Span:
        parent = trace.get_current_span(context).get_span_context()
        # Zero stands for no id; ids have to differ, not to be secret.
        trace_id = parent.trace_id or random.getrandbits(_TRACE_BITS) or 1
        return NonRecordingSpan(SpanContext(trace_id, random.getrandbits(_SPAN_BITS) or 1, is_remote=False))

    @_agnosticcontextmanager
    def start_as_current_span(
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = SpanKind.INTERNAL,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        start_time: int | None = None,
        record_exception: bool = True,
        set_status_on_exception: bool = True,
        end_on_exit: bool = True,
    ) -> Iterator[Span]:
        span = self.start_span(name, context)
        token = attach(trace.set_span_in_context(span))
        try:
            yield span
        finally:
            detach(token)


_TRACER: Final = _Unrecorded()
