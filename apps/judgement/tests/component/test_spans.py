"""What a collector of traces is sent: one submission is one trace, down to each group and each check."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as otlp
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as otlp_grpc
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, use_span

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile
from deepoj_judgement.outbound.telemetry.observer import TelemetryObserver
from deepoj_kit.testing.conditions import PATIENCE, eventually

from .conftest import ADD

if TYPE_CHECKING:
    from .conftest import OpenPipeline, Pipeline

CHECKER = "import sys\nsys.exit(42 if input() == open(sys.argv[2]).read().strip() else 43)\n"


class Collector(otlp_grpc.TraceServiceServicer):
    """Receives spans as any collector does."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    async def Export(  # noqa: N802 — OTLP's name
        self, request: otlp.ExportTraceServiceRequest, context: object
    ) -> otlp.ExportTraceServiceResponse:
        del context
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                self.spans += scope.spans
        return otlp.ExportTraceServiceResponse()

    def ancestors(self, span: Span) -> list[str]:
        """Return the names from the span's parent up to the first that nobody sent."""
        known, names = {each.span_id: each for each in self.spans}, list[str]()
        while parent := known.get(span.parent_span_id):
            names.append(parent.name)
            span = parent
        return names


@asynccontextmanager
async def collecting() -> AsyncIterator[tuple[Collector, str]]:
    collector, server = Collector(), grpc.aio.server()
    register: Any = otlp_grpc.add_TraceServiceServicer_to_server
    register(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield collector, f"http://127.0.0.1:{port}"
    finally:
        await server.stop(None)


async def test_a_trace_shows_compiling_each_group_and_each_check_of_a_submission(
    open_pipeline: OpenPipeline,
    sandbox_works: None,  # noqa: ARG001
) -> None:
    async with collecting() as (collector, endpoint), open_pipeline(otlp_endpoint=endpoint) as pipeline:
        record, worker = await asyncio.gather(pipeline.serve_record(), pipeline.worker())
        question = await pipeline.questions.add(checker=await a_checker(pipeline))
        await pipeline.ended(await pipeline.submit(question, ADD))
        await pipeline.drained()
        # What a process still holds is sent when it ends.
        await asyncio.gather(*(asyncio.to_thread(each.process.stop, PATIENCE) for each in (worker, record)))
        await eventually(lambda: len(named(collector, "judge check")) == 2)
    [compiling], [group] = named(collector, "judge compile"), named(collector, "judge group")
    checks = named(collector, "judge check")
    assert {attribute(each, "check") for each in checks} == {"1", "2"}
    assert attribute(group, "group") == "all"
    assert {compiling.trace_id, group.trace_id, *(each.trace_id for each in checks)} == {
        submitted(collector).trace_id
    }
    for check in checks:
        assert collector.ancestors(check)[:2] == ["judge group", "judge run_cases"]
        assert group.start_time_unix_nano <= check.start_time_unix_nano <= group.end_time_unix_nano


async def a_checker(pipeline: Pipeline) -> ProgramChecker:
    key = await pipeline.objects.put_content(CHECKER.encode(), prefix="data/")
    source = SourceFile("check.py", content_hash(key.removeprefix("data/")))
    return ProgramChecker(sources=(source,), language=language_slug("python3"), convention=Convention.ICPC)


def named(collector: Collector, name: str) -> list[Span]:
    return [span for span in collector.spans if span.name == name]


def submitted(collector: Collector) -> Span:
    [span] = [span for span in collector.spans if span.name.endswith("/Submit")]
    return span


def attribute(span: Span, key: str) -> str:
    return next(each.value.string_value for each in span.attributes if each.key == key)


def test_where_nobody_records_a_trace_a_part_costs_no_span() -> None:
    unsampled = NonRecordingSpan(SpanContext(1, 2, is_remote=True, trace_flags=TraceFlags(0)))
    with use_span(unsampled), TelemetryObserver().part("group", "all") as span:
        assert span is None
