from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import msgspec
import pytest
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource

from deepoj_kit.settings import Secret
from deepoj_kit.telemetry import (
    bind,
    bound,
    counter,
    current_traceparent,
    gauge,
    histogram,
    parent_from,
    tell,
    trace_id,
)
from deepoj_kit.telemetry.logs import JsonFormatter, install, redact_text
from deepoj_kit.telemetry.setup import tracer_provider

TRACE = "0af7651916cd43dd8448eb211c80319c"
SPAN = "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{SPAN}-01"


def line(message: str, *args: object, **extra: object) -> dict[str, Any]:
    record = logging.getLogger("test").makeRecord(
        "test", logging.INFO, "f", 1, message, args, None, extra=extra
    )
    return msgspec.json.decode(JsonFormatter("service", "dev").format(record), type=dict[str, Any])


def test_a_line_has_the_fields_every_line_has() -> None:
    written = line("hello %s", "you", lane="light")
    assert written["ts"].endswith("+00:00")
    assert {key: written[key] for key in ("level", "logger", "message", "service", "env", "lane")} == {
        "level": "info",
        "logger": "test",
        "message": "hello you",
        "service": "service",
        "env": "dev",
        "lane": "light",
    }
    assert "trace_id" not in written


def test_bound_fields_last_for_their_block() -> None:
    with bind(job_id="j"):
        with bind(attempt_id=2):
            assert {"job_id", "attempt_id"} <= line("in").keys()
        assert "attempt_id" not in line("after the inner")
    assert not bound()


async def test_bound_fields_do_not_cross_to_other_tasks() -> None:
    async def one(name: str) -> str:
        with bind(job_id=name):
            await asyncio.sleep(0)
            return str(line("x")["job_id"])

    assert list(await asyncio.gather(one("a"), one("b"))) == ["a", "b"]


def test_no_field_can_take_the_name_of_a_fixed_one() -> None:
    with bind(service="forged", level="forged"):
        assert (line("x")["service"], line("x")["level"]) == ("service", "info")


@pytest.mark.parametrize(
    "fields",
    [
        {"password": "hunter2"},
        {"service_token": "hunter2"},
        {"Authorization": "hunter2"},
        {"s3_access_key": "hunter2"},
        {"value": Secret("hunter2")},
        {"nested": {"deep": [{"api_key": "hunter2"}]}},
        {"url": "postgresql://me:hunter2@host/db"},
        {"header": "Bearer hunter2"},
    ],
)
def test_secrets_do_not_reach_a_line(fields: dict[str, object]) -> None:
    assert "hunter2" not in str(line("x", **fields))


def test_secrets_in_messages_and_tracebacks_are_hidden() -> None:
    error = ValueError("cannot reach redis://:hunter2@host")
    info = (ValueError, error, None)
    record = logging.LogRecord("t", logging.ERROR, "f", 1, "at redis://:hunter2@host", (), info)
    text = JsonFormatter("service", "dev").format(record)
    assert "hunter2" not in text
    assert "ValueError" in text
    assert "\n" not in text


def test_a_line_in_a_span_carries_its_ids() -> None:
    span = trace.NonRecordingSpan(trace.SpanContext(int(TRACE, 16), int(SPAN, 16), is_remote=False))
    with trace.use_span(span):
        written = line("x")
    assert (written["trace_id"], written["span_id"]) == (TRACE, SPAN)


def test_a_line_about_another_trace_carries_the_ids_of_that_one() -> None:
    with trace.use_span(trace.NonRecordingSpan(trace.SpanContext(1, 2, is_remote=False))):
        written = line("x", traceparent=TRACEPARENT)
        current = line("x", traceparent="")
    assert (written["trace_id"], written["span_id"]) == (TRACE, SPAN)
    assert (int(current["trace_id"], 16), int(current["span_id"], 16)) == (1, 2)
    assert "traceparent" not in written.keys() | current.keys()


def test_trace_context_travels_as_one_string() -> None:
    assert (current_traceparent(), trace_id()) == ("", "")
    parent = trace.get_current_span(parent_from(TRACEPARENT))
    with trace.use_span(parent):
        assert current_traceparent() == TRACEPARENT
        assert trace_id() == TRACE


@pytest.mark.parametrize("text", [None, "", "nonsense", "00-0-0-01"])
def test_a_malformed_traceparent_starts_a_new_trace(text: str | None) -> None:
    assert not trace.get_current_span(parent_from(text)).get_span_context().is_valid


@pytest.mark.parametrize("make", [counter, gauge, histogram])
@pytest.mark.parametrize("label", ["job_id", "attempt_id", "submission_id", "user_id", "trace_id"])
def test_inv_6_no_label_per_job(make: Any, label: str) -> None:  # noqa: ANN401 — three factories
    with pytest.raises(ValueError, match=label):
        make("deepoj_test", "test", ("lane", label))


def test_a_metric_takes_exactly_its_labels() -> None:
    metric = counter("deepoj_test_exact", "test", ("lane",))
    metric.add(lane="light")
    for labels in ({}, {"lane": "light", "extra": "x"}, {"other": "x"}):
        with pytest.raises(ValueError, match="lane"):
            metric.add(**labels)


def test_spans_that_nobody_is_sent_have_ids_and_continue_the_callers_trace() -> None:
    tracer = tracer_provider(Resource.create(), 1.0, ()).get_tracer(__name__)
    with tracer.start_as_current_span("first") as first:
        assert first.get_span_context().is_valid
        assert not first.is_recording()
        with tracer.start_as_current_span("second") as second:
            assert trace.get_current_span() is second
            inner, outer = second.get_span_context(), first.get_span_context()
            assert inner.trace_id == outer.trace_id
            assert inner.span_id != outer.span_id
        assert trace.get_current_span() is first
    parent = parent_from("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
    continued = tracer.start_span("third", parent).get_span_context()
    assert f"{continued.trace_id:032x}" == "0123456789abcdef0123456789abcdef"
    assert not trace.get_current_span().get_span_context().is_valid


def test_a_line_told_without_a_record_has_the_shape_of_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [])
    monkeypatch.setattr(root, "level", root.level)
    install("bff", "test", "info")
    log = logging.getLogger("access")
    tell(log, "request", {"status": 200, "trace_id": "ab"})
    log.info("request", extra={"status": 200, "trace_id": "ab"})
    log.setLevel(logging.WARNING)
    tell(log, "request", {"status": 500})
    log.setLevel(logging.NOTSET)
    told, logged = (msgspec.json.decode(line) for line in capsys.readouterr().err.splitlines())
    assert told.pop("ts") <= logged.pop("ts")
    assert told == logged


@pytest.mark.parametrize("text", ["a.", "a-", "a+a://", "x://:", "basic ", "bearer\n", "a://a:a@"])
def test_no_text_costs_more_than_its_length_to_redact(text: str) -> None:
    """Log lines hold what users sent: names, agents, messages of compilers."""
    costs = []
    for size in (4_000, 32_000):
        whole = " " + text * (size // len(text))
        begun = time.thread_time()
        redact_text(whole)
        costs.append(max(time.thread_time() - begun, 0.01))
    assert costs[1] <= 3 * 8 * costs[0], costs
