"""A real process: starts in order, says when it is ready, drains on a signal, ends with the right code."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import grpc
import msgspec
import pytest

from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret

Launch = Callable[..., Any]


async def get(address: str, path: str, request: bytes | None = None) -> tuple[int, bytes]:
    host, port = address.rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request or f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), body


async def test_a_signal_drains_in_reverse_order_and_ends_with_0(launch: Launch) -> None:
    async with launch(DEEPOJ_SHUTDOWN_NOTICE="50ms") as running:
        await running.until("ready")
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 0
    assert [m for m in running.messages if m.startswith(("open", "close", "finished"))] == [
        "open first",
        "open second",
        "finished what was in hand",
        "close second",
        "close first",
    ]


async def test_bad_settings_end_with_2_and_a_sentence(launch: Launch) -> None:
    async with launch(DEEPOJ_LOG_LEVEL="loud", DEEPOJ_TRACE_RATIO="7") as running:
        assert await running.ended() == 2
    assert running.raw.count("\n") == 1
    assert "DEEPOJ_LOG_LEVEL" in running.raw
    assert "DEEPOJ_TRACE_RATIO" in running.raw


async def test_a_crashed_background_task_takes_the_process_down(launch: Launch) -> None:
    async with launch("crash") as running:
        assert await running.ended() == 1
    crashed = next(line for line in running.lines if line["message"].startswith("background task crasher"))
    assert "the disk is gone" in crashed["message"]
    assert "Traceback" in crashed["exception"]
    assert "close first" in running.messages


async def test_a_background_task_that_just_returns_does_so_too(launch: Launch) -> None:
    async with launch("return") as running:
        assert await running.ended() == 1
    assert "background task short ended: it returned" in running.messages


async def test_a_start_that_cannot_succeed_ends_with_1_and_no_traceback(launch: Launch) -> None:
    async with launch("broken-start") as running:
        assert await running.ended() == 1
    assert "cannot start: the store is not there" in running.messages
    assert "Traceback" not in running.raw
    assert "close first" in running.messages


async def test_a_signal_during_the_start_stops_it(launch: Launch) -> None:
    async with launch("slow-start") as running:
        await running.until("waiting for the store")
        running.process.send_signal(signal.SIGINT)
        assert await running.ended() == 0
    assert "ready" not in running.messages
    assert "close first" in running.messages


async def test_what_does_not_drain_in_time_is_left_behind(launch: Launch) -> None:
    async with launch("hang", DEEPOJ_SHUTDOWN_GRACE="100ms") as running:
        await running.until("ready")
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 1
    assert any(message.startswith("not drained within 0.1 s") for message in running.messages)


async def test_a_second_signal_ends_the_process_at_once(launch: Launch) -> None:
    async with launch("hang", DEEPOJ_SHUTDOWN_GRACE="1h") as running:
        await running.until("ready")
        running.process.send_signal(signal.SIGTERM)
        await running.until("finished what was in hand")
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 1


async def test_an_ops_port_in_use_is_one_sentence(launch: Launch) -> None:
    server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        taken = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with launch(DEEPOJ_OPS_LISTEN=taken) as running:
            assert await running.ended() == 1
    assert any(message.startswith(f"cannot start: cannot listen on {taken}") for message in running.messages)
    assert "Traceback" not in running.raw


async def test_readiness_follows_the_life_of_the_process(launch: Launch) -> None:
    async with launch("hang", DEEPOJ_SHUTDOWN_GRACE="1h") as running:
        ops = (await running.until("starting"))["ops_address"]
        await running.until("ready")
        assert await get(ops, "/readyz") == (
            200,
            b'{"status":"ready","ready":true,"failing":{},"degraded":[]}\n',
        )
        running.process.send_signal(signal.SIGTERM)
        await running.until("finished what was in hand")
        status, body = await get(ops, "/readyz")
        assert (status, msgspec.json.decode(body)["status"]) == (503, "draining")
        assert (await get(ops, "/livez"))[0] == 200


async def test_until_balancers_have_noticed_it_serves_on_but_is_not_ready(launch: Launch) -> None:
    async with launch(DEEPOJ_SHUTDOWN_NOTICE="1h") as running:
        ops = (await running.until("starting"))["ops_address"]
        await running.until("ready")
        running.process.send_signal(signal.SIGTERM)
        await running.until("giving notice")
        assert (await get(ops, "/readyz"))[0] == 503
        # One who knows no other copy has nobody else to ask; new callers are let in as well.
        async with grpc.aio.insecure_channel(running.address) as channel:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Test/Greet")
            assert await call(b"you", metadata=(("authorization", f"Bearer {running.token}"),)) == b"hello"
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 1


async def test_before_it_is_ready_a_process_is_alive_but_says_so(launch: Launch) -> None:
    async with launch("slow-start") as running:
        ops = (await running.until("starting"))["ops_address"]
        assert (await get(ops, "/livez"))[0] == 200
        assert (await get(ops, "/readyz"))[0] == 503


async def test_readiness_names_the_failing_check(launch: Launch) -> None:
    async with launch("failing-check") as running:
        ops = (await running.until("starting"))["ops_address"]
        await running.until("ready")
        status, body = await get(ops, "/readyz")
    assert status == 503
    assert msgspec.json.decode(body)["failing"] == {"store": "ConnectionError"}


async def test_a_served_call_shows_in_logs_and_metrics_without_secrets(launch: Launch) -> None:
    async with launch(DEEPOJ_EXAMPLE_GREETING="good day") as running:
        ops = (await running.until("starting"))["ops_address"]
        await running.until("ready")
        async with connect(running.address, Secret(running.token)) as channel:
            call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Test/Greet")
            assert await call(b"you") == b"good day"
        line = await running.until("greeting")
        page = (await get(ops, "/metrics"))[1].decode()
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 0
    assert (line["service"], line["env"], line["level"], line["logger"]) == (
        "example",
        "dev",
        "info",
        "example",
    )
    assert (line["job_id"], line["who"], line["password"]) == ("job-1", "you", "***")
    assert len(line["trace_id"]) == 32
    assert len(line["span_id"]) == 16
    assert 'deepoj_grpc_server_requests_total{code="OK",method="/test.Test/Greet"} 1.0' in page
    assert "process_cpu_seconds_total" in page
    assert running.token not in running.raw


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"POST /livez HTTP/1.1\r\n\r\n", 405),
        (b"GET /nothing HTTP/1.1\r\n\r\n", 404),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 10_000 + b"\r\n\r\n", 431),
    ],
)
async def test_the_ops_endpoint_refuses_what_it_does_not_serve(
    launch: Launch, request_bytes: bytes, status: int
) -> None:
    async with launch() as running:
        ops = (await running.until("starting"))["ops_address"]
        assert (await get(ops, "", request_bytes))[0] == status


async def test_spans_go_to_the_collector_that_is_set(launch: Launch) -> None:
    received: list[bytes] = []

    async def export(request: bytes, _context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        received.append(request)
        return b""

    collector = grpc.aio.server()
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Export": grpc.unary_unary_rpc_method_handler(export)
    }
    service = "opentelemetry.proto.collector.trace.v1.TraceService"
    collector.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, methods),))
    port = collector.add_insecure_port("127.0.0.1:0")
    await collector.start()
    async with launch(DEEPOJ_OTLP_ENDPOINT=f"http://127.0.0.1:{port}") as running:
        await greet_and_stop(running)
    await collector.stop(None)
    assert any(b"test.Test/Greet" in each for each in received)


async def test_an_unreachable_collector_does_not_hold_the_process(launch: Launch) -> None:
    (port,) = free_ports(1)
    async with launch(DEEPOJ_OTLP_ENDPOINT=f"http://127.0.0.1:{port}") as running:
        await greet_and_stop(running)


async def greet_and_stop(running: Any) -> None:  # noqa: ANN401 — the class lives in conftest
    await running.until("ready")
    async with connect(running.address, Secret(running.token)) as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Test/Greet")
        await call(b"you")
    running.process.send_signal(signal.SIGTERM)
    assert await running.ended() == 0
