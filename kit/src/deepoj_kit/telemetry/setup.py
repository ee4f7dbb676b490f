"""`configure`: logs, traces and metrics of one process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol

from opentelemetry import metrics, trace
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ParentBased, TraceIdRatioBased
from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from deepoj_kit.telemetry import logs
from deepoj_kit.telemetry.metrics import HISTOGRAMS


class TelemetrySettings(Protocol):
    @property
    def env(self) -> str: ...
    @property
    def log_level(self) -> str: ...
    @property
    def otlp_endpoint(self) -> str | None: ...
    @property
    def trace_ratio(self) -> float: ...


class Telemetry:
    """What `configure` made: the metrics page, and the way to flush before the end."""

    def __init__(self, registry: CollectorRegistry, traces: TracerProvider) -> None:
        self._registry = registry
        self._traces = traces

    def metrics_page(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry) + generate_latest(HISTOGRAMS)

    def shutdown(self, timeout: timedelta = timedelta(seconds=3)) -> None:
        """Send the spans still in memory; a collector that does not answer cannot hold the process."""
        flushing = threading.Thread(target=self._traces.shutdown, name="telemetry-shutdown", daemon=True)
        flushing.start()
        flushing.join(timeout.total_seconds())


def configure(
    service: str, settings: TelemetrySettings, *, span_processors: Sequence[SpanProcessor] = ()
) -> Telemetry:
    """Set up the process; the providers are global and can be set once in its life."""
    logs.install(service, settings.env, settings.log_level)
    resource = Resource.create({"service.name": service, "deployment.environment.name": settings.env})
    processors = (*span_processors, *_exporters(settings.otlp_endpoint))
    traces = tracer_provider(resource, settings.trace_ratio, processors)
    trace.set_tracer_provider(traces)
    # A moment for every series, which nobody looks at.
    disable_created_metrics()  # type: ignore[no-untyped-call]  # the client is not typed throughout
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    reader = PrometheusMetricReader(scope_info_enabled=False, registry=registry)
    metrics.set_meter_provider(MeterProvider([reader], resource, shutdown_on_exit=False))
    return Telemetry(registry, traces)


def tracer_provider(resource: Resource, ratio: float, processors: Sequence[SpanProcessor]) -> TracerProvider:
    """Where nobody is sent a span none is recorded; it has an id all the same, for logs and callees."""
    sampler = ParentBased(TraceIdRatioBased(ratio)) if processors else ALWAYS_OFF
    # Its exit hook would wait for an unreachable collector; `Telemetry.shutdown` does not.
    traces = TracerProvider(resource=resource, sampler=sampler, shutdown_on_exit=False)
    for processor in processors:
        traces.add_span_processor(processor)
    return traces


def _exporters(endpoint: str | None) -> list[SpanProcessor]:
    if endpoint is None:
        return []
    # Imported here: it loads protobuf and a second gRPC stub, which most processes do not need.
    from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

    insecure = not endpoint.startswith("https://")
    return [BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, insecure=insecure))]
