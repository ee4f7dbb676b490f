"""What every call goes through: credential, deadline, trace context, errors, sizes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from typing import Any

import grpc
import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from deepoj_kit import telemetry
from deepoj_kit.grpc import Kind, Refusal, RemoteError, connect, refuse
from deepoj_kit.lifecycle import StartError
from deepoj_kit.settings import Secret

Serve = Callable[..., AbstractAsyncContextManager[Any]]
Context = grpc.aio.ServicerContext[bytes, bytes]
SHORT = timedelta(seconds=2)


def unary(channel: grpc.aio.Channel, method: str) -> grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]:
    return channel.unary_unary(f"/test.Test/{method}")


def down(channel: grpc.aio.Channel, method: str) -> grpc.aio.UnaryStreamMultiCallable[bytes, bytes]:
    return channel.unary_stream(f"/test.Test/{method}")


async def echo(request: bytes, _context: Context) -> bytes:
    return request


async def test_a_call_is_answered_on_every_kind_of_address(serve: Serve, listen: str, token: Secret) -> None:
    async with serve(listen, Echo=echo) as served, connect(served.address, token) as channel:
        assert await unary(channel, "Echo")(b"hello") == b"hello"


async def test_a_call_without_credential_is_refused(serve: Serve, listen: str) -> None:
    async with serve(listen, Echo=echo) as served, grpc.aio.insecure_channel(served.address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await unary(channel, "Echo")(b"hello", timeout=90)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("wrong", ["", "the wrong one", "the right on", "the right one "])
async def test_a_call_with_a_wrong_credential_is_refused(serve: Serve, socket: str, wrong: str) -> None:
    async with serve(socket, Echo=echo) as served, connect(served.address, Secret(wrong)) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Echo")(b"hello")
    assert (caught.value.kind, caught.value.reason) == (Kind.UNAUTHENTICATED, "bad_service_credential")


async def test_streams_need_the_credential_too(serve: Serve, socket: str) -> None:
    async with serve(socket, Numbers_down=count) as served, connect(served.address, Secret("no")) as channel:
        with pytest.raises(RemoteError) as caught:
            [_ async for _ in down(channel, "Numbers_down")(b"3")]
    assert caught.value.kind is Kind.UNAUTHENTICATED


async def test_a_method_that_does_not_exist_is_an_error_of_ours(
    serve: Serve, socket: str, token: Secret
) -> None:
    async with serve(socket, Echo=echo) as served, connect(served.address, token) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Missing")(b"")
    assert (caught.value.kind, caught.value.reason) == (Kind.INTERNAL, "unimplemented")


async def test_a_call_without_deadline_is_bounded_by_the_server(
    serve: Serve, socket: str, token: Secret
) -> None:
    stopped = asyncio.Event()

    async def hang(_request: bytes, _context: Context) -> bytes:
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return b""

    metadata = (("authorization", f"Bearer {token.reveal()}"),)
    async with (
        serve(socket, max_duration=0.5, Hang=hang) as served,
        grpc.aio.insecure_channel(served.address) as channel,
    ):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await unary(channel, "Hang")(b"", metadata=metadata)
        await stopped.wait()
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_the_client_gives_every_call_a_deadline(serve: Serve, socket: str, token: Secret) -> None:
    stopped = asyncio.Event()
    left: list[float] = []

    async def hang(_request: bytes, context: Context) -> bytes:
        left.append(context.time_remaining())
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return b""

    async with serve(socket, Hang=hang) as served, connect(served.address, token, deadline=SHORT) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Hang")(b"")
        await stopped.wait()
    assert caught.value.kind is Kind.TIMEOUT
    assert left[0] < 10


async def test_a_call_made_while_serving_ends_with_the_served_one(
    serve: Serve, socket: str, token: Secret
) -> None:
    left: list[float] = []

    async def inner(_request: bytes, context: Context) -> bytes:
        left.append(context.time_remaining())
        return b""

    async def outer(_request: bytes, _context: Context) -> bytes:
        return await unary(channel, "Inner")(b"", timeout=600)

    async with serve(socket, Inner=inner, Outer=outer) as served, connect(served.address, token) as channel:
        await unary(channel, "Outer")(b"", timeout=60)
    # Far from the 600 s asked for; on the wire gRPC rounds a time-out up.
    assert left[0] < 70


@pytest.mark.usefixtures("traced")
async def test_both_sides_see_the_same_trace(serve: Serve, listen: str, token: Secret) -> None:
    async def report(_request: bytes, _context: Context) -> bytes:
        return telemetry.trace_id().encode()

    async with serve(listen, Report=report) as served, connect(served.address, token) as channel:
        with telemetry.tracer("test").start_as_current_span("caller"):
            seen = await unary(channel, "Report")(b"")
            assert seen.decode() == telemetry.trace_id() != ""


@pytest.mark.parametrize("kind", list(Kind))
async def test_each_kind_of_refusal_reaches_the_caller(
    serve: Serve, socket: str, token: Secret, kind: Kind
) -> None:
    async def refusing(_request: bytes, _context: Context) -> bytes:
        refuse(kind, "some_reason", "why", retry_after=timedelta(seconds=1.5))

    async with serve(socket, Refuse=refusing) as served, connect(served.address, token) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Refuse")(b"")
    error = caught.value
    assert (error.kind, error.reason, error.message) == (kind, "some_reason", "why")
    assert error.retry_after == timedelta(seconds=1.5)


async def test_an_application_maps_its_own_errors(serve: Serve, socket: str, token: Secret) -> None:
    def translate(error: Exception) -> Refusal | None:
        return Refusal(Kind.NOT_FOUND, "no_such_key", "no such key") if isinstance(error, KeyError) else None

    async def lookup(_request: bytes, _context: Context) -> bytes:
        raise KeyError

    async with (
        serve(socket, translate=translate, Lookup=lookup) as served,
        connect(served.address, token) as channel,
    ):
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Lookup")(b"")
    assert (caught.value.kind, caught.value.reason) == (Kind.NOT_FOUND, "no_such_key")


@pytest.mark.usefixtures("traced")
async def test_a_defect_shows_a_reference_and_no_internals(
    serve: Serve, socket: str, token: Secret, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_request: bytes, _context: Context) -> bytes:
        raise RuntimeError("the password is hunter2")

    async with serve(socket, Broken=broken) as served, connect(served.address, token) as channel:
        with telemetry.tracer("test").start_as_current_span("caller"):
            with pytest.raises(RemoteError) as caught:
                await unary(channel, "Broken")(b"")
            assert telemetry.trace_id() in caught.value.message
    assert caught.value.kind is Kind.INTERNAL
    assert "hunter2" not in str(caught.value)
    assert any(record.exc_info for record in caplog.records)


async def test_an_unavailable_dependency_is_not_a_defect(serve: Serve, socket: str, token: Secret) -> None:
    async def calls_another(_request: bytes, _context: Context) -> bytes:
        raise RemoteError(Kind.UNAVAILABLE, "unavailable", "connection refused")

    async with serve(socket, Call=calls_another) as served, connect(served.address, token) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Call")(b"")
    assert (caught.value.kind, caught.value.reason) == (Kind.UNAVAILABLE, "dependency_unavailable")


async def test_an_oversized_message_is_refused(serve: Serve, listen: str, token: Secret) -> None:
    async with (
        serve(listen, max_message=1024, Echo=echo) as served,
        connect(served.address, token) as channel,
    ):
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Echo")(b"x" * 2048)
        assert await unary(channel, "Echo")(b"x" * 512) == b"x" * 512
    assert caught.value.kind is Kind.EXHAUSTED


async def count(request: bytes, _context: Context) -> AsyncIterator[bytes]:
    for number in range(int(request)):
        yield str(number).encode()
    if request == b"3":
        refuse(Kind.PRECONDITION, "only_three", "no more")


async def test_a_stream_may_end_with_a_refusal(serve: Serve, socket: str, token: Secret) -> None:
    async with serve(socket, Numbers_down=count) as served, connect(served.address, token) as channel:
        numbers = down(channel, "Numbers_down")
        assert [each async for each in numbers(b"2")] == [b"0", b"1"]
        answers = aiter(numbers(b"3"))
        assert [await anext(answers) for _ in range(3)] == [b"0", b"1", b"2"]
        with pytest.raises(RemoteError) as caught:
            await anext(answers)
    assert (caught.value.kind, caught.value.reason) == (Kind.PRECONDITION, "only_three")


async def test_whoever_is_still_sending_learns_why_the_call_was_refused(
    serve: Serve, socket: str, token: Secret
) -> None:
    async def refusing(requests: AsyncIterator[bytes], _context: Context) -> bytes:
        await anext(requests)
        refuse(Kind.FORBIDDEN, "not_yours", "no")

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b"piece"

    async with serve(socket, Refuse_up=refusing) as served, connect(served.address, token) as channel:
        call: grpc.aio.StreamUnaryMultiCallable[bytes, bytes] = channel.stream_unary("/test.Test/Refuse_up")
        for _ in range(30):
            with pytest.raises(RemoteError) as caught:
                await call(pieces())
            assert caught.value.reason == "not_yours"


async def test_uploads_and_two_way_streams_work(serve: Serve, socket: str, token: Secret) -> None:
    async def join(requests: AsyncIterator[bytes], _context: Context) -> bytes:
        return b"".join([each async for each in requests])

    async def double(requests: AsyncIterator[bytes], _context: Context) -> AsyncIterator[bytes]:
        async for each in requests:
            yield each * 2

    async def parts() -> AsyncIterator[bytes]:
        yield b"a"
        yield b"b"

    async with (
        serve(socket, Join_up=join, Double_both=double) as served,
        connect(served.address, token) as channel,
    ):
        join_up: grpc.aio.StreamUnaryMultiCallable[bytes, bytes] = channel.stream_unary("/test.Test/Join_up")
        both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(
            "/test.Test/Double_both"
        )
        assert await join_up(parts()) == b"ab"
        written = join_up()
        await written.write(b"c")
        await written.done_writing()
        assert await written == b"c"
        assert [each async for each in both(parts())] == [b"aa", b"bb"]


async def test_calls_are_counted_by_method_and_code(
    serve: Serve, socket: str, token: Secret, metric_reader: InMemoryMetricReader
) -> None:
    async with serve(socket, Counted=echo) as served, connect(served.address, token) as channel:
        await unary(channel, "Counted")(b"")
    data = metric_reader.get_metrics_data()
    assert data is not None
    points = [
        dict(point.attributes or {})
        for resource in data.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == "deepoj_grpc_server_requests"
        for point in metric.data.data_points
    ]
    assert {"method": "/test.Test/Counted", "code": "OK"} in points


async def test_an_address_in_use_is_one_sentence(serve: Serve) -> None:
    async with serve("127.0.0.1:0") as first:
        with pytest.raises(StartError, match=f"cannot listen on {first.address}"):
            async with serve(first.address):
                pass


async def test_nobody_listening_is_unavailable_and_not_a_timeout(socket: str, token: Secret) -> None:
    async with connect(socket, token, deadline=timedelta(seconds=90)) as channel:
        with pytest.raises(RemoteError) as caught:
            await unary(channel, "Echo")(b"")
    assert caught.value.kind is Kind.UNAVAILABLE
