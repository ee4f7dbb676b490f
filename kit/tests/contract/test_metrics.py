"""What a page of metrics shows before anything has happened."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from deepoj_kit.telemetry import counter


def test_a_counter_is_shown_with_0_for_all_values_that_are_known(metric_reader: InMemoryMetricReader) -> None:
    counter("deepoj_test_plain", "test")
    counter("deepoj_test_by_reason", "test", ("reason",))
    known = counter("deepoj_test_known", "test", ("status", "reason"), known=[("ok", ""), ("error", "away")])
    known.add(2, status="ok", reason="")
    known.add(status="error", reason="new")
    assert shown(metric_reader, "deepoj_test_plain") == {(): 0}
    assert shown(metric_reader, "deepoj_test_by_reason") == {}
    assert shown(metric_reader, "deepoj_test_known") == {
        ("ok", ""): 2, ("error", "away"): 0, ("error", "new"): 1,
    }  # fmt: skip


def test_a_known_value_has_one_part_for_each_label() -> None:
    with pytest.raises(ValueError, match="shorter"):
        counter("deepoj_test_short", "test", ("status", "reason"), known=[("ok",)])


def shown(reader: InMemoryMetricReader, name: str) -> dict[tuple[str, ...], float]:
    data = reader.get_metrics_data()
    return {
        tuple(map(str, (point.attributes or {}).values())): float(getattr(point, "value", -1))
        for resource in (data.resource_metrics if data else [])
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == name
        for point in metric.data.data_points
    }
