"""Look at the metrics of this process."""

from __future__ import annotations

from opentelemetry.sdk.metrics.export import InMemoryMetricReader


def counted(reader: InMemoryMetricReader, name: str, **labels: str) -> float | None:
    """Return what a counter shows for these labels; None when it shows nothing."""
    data = reader.get_metrics_data()
    points = [
        point
        for resource in (data.resource_metrics if data else [])
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == name
        for point in metric.data.data_points
    ]
    found = [point for point in points if dict(point.attributes or {}) == labels]
    return float(getattr(found[0], "value", -1)) if found else None
