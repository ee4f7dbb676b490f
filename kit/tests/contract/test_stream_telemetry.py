from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from redis.asyncio import Redis

from deepoj_kit.streams import (
    Consumer,
    ConsumerOptions,
    Delivery,
    Done,
    Dropped,
    FieldsCodec,
    Outcome,
)
from deepoj_kit.testing.conditions import eventually, running
from kit.tests.publisher import Publisher


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    monkeypatch.setattr("deepoj_kit.streams.processor.tracer", provider.get_tracer)
    return exporter


async def refuse_odd_numbers(batch: Sequence[Delivery[Thing]]) -> Sequence[Outcome]:
    return [Dropped("odd") if delivery.message.number % 2 else Done() for delivery in batch]


def consumer(redis: Redis, stream: str) -> Consumer[Thing]:
    return Consumer(
        redis,
        group="workers",
        name="me",
        streams=[stream],
        codec=CODEC,
        handler=refuse_odd_numbers,
        options=ConsumerOptions(block=0.05),
    )


def named(spans: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span.name == name]


async def send_inside_spans(redis: Redis, stream: str, *names: str) -> None:
    for number, name in enumerate(names):
        with trace.get_tracer("test").start_as_current_span(name):
            await Publisher(redis, stream, CODEC).publish([Thing(number)])


async def test_a_single_message_continues_the_sender_s_trace(
    redis: Redis, stream: str, spans: InMemorySpanExporter
) -> None:
    await send_inside_spans(redis, stream, "send")
    async with running(consumer(redis, stream)):
        await eventually(lambda: len(named(spans, "workers process")) == 1)
    sent, processed = named(spans, "send")[0], named(spans, "workers process")[0]
    assert processed.parent is not None
    assert processed.parent.span_id == sent.context.span_id
    assert processed.context.trace_id == sent.context.trace_id


async def test_a_batch_is_linked_to_all_its_senders(
    redis: Redis, stream: str, spans: InMemorySpanExporter
) -> None:
    await send_inside_spans(redis, stream, "send", "send")
    async with running(consumer(redis, stream)):
        await eventually(lambda: len(named(spans, "workers process")) == 1)
    processed = named(spans, "workers process")[0]
    assert processed.parent is None
    assert [link.context.span_id for link in processed.links] == [
        span.context.span_id for span in named(spans, "send")
    ]


async def test_metrics_count_outcomes_by_reason_and_carry_no_id(
    redis: Redis, stream: str, metric_reader: InMemoryMetricReader
) -> None:
    await Publisher(redis, stream, CODEC).publish([Thing(number) for number in range(3)])
    async with running(consumer(redis, stream)):
        await eventually(lambda: counted(metric_reader, stream).get(("refused", "odd")) == 1)
    assert counted(metric_reader, stream) == {("done", ""): 2, ("refused", "odd"): 1}
    labels = {
        label for name, given, _ in points(metric_reader) if name.startswith("stream_") for label in given
    }
    assert labels <= {"stream", "group", "outcome", "reason", "what"}


def points(reader: InMemoryMetricReader) -> list[tuple[str, dict[str, str], float]]:
    data = reader.get_metrics_data()
    found = []
    for resource in data.resource_metrics if data else []:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    labels = {name: str(value) for name, value in (point.attributes or {}).items()}
                    found.append((metric.name, labels, float(getattr(point, "value", 0))))
    return found


def counted(reader: InMemoryMetricReader, stream: str) -> dict[tuple[str, str], float]:
    return {
        (labels["outcome"], labels["reason"]): value
        for name, labels, value in points(reader)
        if name == "stream_deliveries" and labels["stream"] == stream
    }
