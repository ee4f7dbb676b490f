"""Stopping, draining and starting again under calls in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest

from deepoj_kit.grpc import Kind, RemoteError, connect, limits, refuse
from deepoj_kit.grpc.health import NOT_SERVING, SERVING
from deepoj_kit.lifecycle import State
from deepoj_kit.settings import Secret

Serve = Callable[..., AbstractAsyncContextManager[Any]]
Context = grpc.aio.ServicerContext[bytes, bytes]
READ = "/test.Test/Read"
PATIENCE = timedelta(seconds=90)


def unary(channel: grpc.aio.Channel, method: str) -> grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]:
    return channel.unary_unary(f"/test.Test/{method}")


async def outcome_of(call: Awaitable[bytes]) -> bytes | Kind:
    try:
        return await call
    except RemoteError as error:
        return error.kind


async def test_health_needs_no_credential_and_follows_readiness(serve: Serve, listen: str) -> None:
    async with serve(listen) as served, grpc.aio.insecure_channel(served.address) as channel:
        check: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
        check = channel.unary_unary("/grpc.health.v1.Health/Check")
        assert await check(b"", timeout=PATIENCE.total_seconds()) == SERVING
        await served.readiness.move_to(State.DRAINING)
        assert await check(b"", timeout=PATIENCE.total_seconds()) == NOT_SERVING


async def test_a_health_watch_ends_when_the_server_drains(serve: Serve, socket: str) -> None:
    async with serve(socket) as served, grpc.aio.insecure_channel(served.address) as channel:
        watching: grpc.aio.UnaryStreamMultiCallable[bytes, bytes]
        watching = channel.unary_stream("/grpc.health.v1.Health/Watch")
        watch = aiter(watching(b""))
        assert await anext(watch) == SERVING
        await served.readiness.move_to(State.DRAINING)
        assert [status async for status in watch] == [NOT_SERVING]


async def test_the_server_allows_the_pings_of_an_idle_client(
    serve: Serve, socket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A server that finds the pings too many says goodbye after three seconds of these.
    monkeypatch.setattr(limits, "KEEPALIVE_MS", 100)
    options = [*limits.shared_options(1024), ("grpc.http2.max_pings_without_data", 0)]
    async with serve(socket) as served, grpc.aio.insecure_channel(served.address, options) as channel:
        await channel.channel_ready()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(6):
                await channel.wait_for_state_change(grpc.ChannelConnectivity.READY)


async def test_a_call_in_flight_finishes_during_a_graceful_stop(
    serve: Serve, listen: str, token: Secret
) -> None:
    entered, release = asyncio.Event(), asyncio.Event()

    async def slow(_request: bytes, _context: Context) -> bytes:
        entered.set()
        await release.wait()
        return b"finished"

    async with serve(listen, Slow=slow) as served, connect(served.address, token) as channel:
        call = asyncio.ensure_future(unary(channel, "Slow")(b"", timeout=PATIENCE.total_seconds()))
        await entered.wait()
        stopping = asyncio.create_task(served.server.registry.stop(PATIENCE.total_seconds()))
        # Until the stop has begun a new call waits in the handler and runs into its time-out.
        while await outcome_of(unary(channel, "Slow")(b"", timeout=0.05)) is not Kind.UNAVAILABLE:
            pass
        release.set()
        assert await call == b"finished"
        await stopping


async def test_no_call_fails_when_one_of_two_copies_says_that_it_goes_and_is_stopped(
    serve: Serve, token: Secret
) -> None:
    asked = {"first": 0, "second": 0}

    async def answer(name: str, _request: bytes, _context: Context) -> bytes:
        asked[name] += 1
        return name.encode()

    async with AsyncExitStack() as stays:
        second = await stays.enter_async_context(serve("127.0.0.1:0", Write=partial(answer, "second")))
        async with AsyncExitStack() as goes:
            first = await goes.enter_async_context(serve("127.0.0.1:0", Write=partial(answer, "first")))
            both = f"ipv4:{first.address},{second.address}"
            channel = await stays.enter_async_context(connect(both, token, deadline=PATIENCE))
            write = unary(channel, "Write")
            while not all(asked.values()):
                await write(b"")
            await first.readiness.move_to(State.DRAINING)
            in_a_row = 0
            async with asyncio.timeout(PATIENCE.total_seconds()):
                while in_a_row < 10:
                    in_a_row = in_a_row + 1 if await write(b"") == b"second" else 0
        assert await write(b"") == b"second"


async def test_a_call_that_outlives_the_grace_is_cut(serve: Serve, socket: str, token: Secret) -> None:
    entered = asyncio.Event()

    async def hang(_request: bytes, _context: Context) -> bytes:
        entered.set()
        await asyncio.Event().wait()
        return b""

    async with connect(socket, token, deadline=PATIENCE) as channel:
        async with serve(socket, grace=0, Hang=hang):
            call = asyncio.ensure_future(unary(channel, "Hang")(b""))
            await entered.wait()
        with pytest.raises(RemoteError) as caught:
            await call
    assert caught.value.kind is Kind.UNAVAILABLE


@pytest.mark.parametrize(("method", "executions"), [("Read", 3), ("Write", 1)])
async def test_only_a_method_declared_idempotent_is_sent_again(
    serve: Serve, socket: str, token: Secret, method: str, executions: int
) -> None:
    seen: list[bytes] = []

    async def unavailable_twice(request: bytes, _context: Context) -> bytes:
        seen.append(request)
        if len(seen) < 3:
            refuse(Kind.UNAVAILABLE, "busy", "try again")
        return b"done"

    behaviours = {"Read": unavailable_twice, "Write": unavailable_twice}
    async with (
        serve(socket, **behaviours) as served,
        connect(served.address, token, idempotent=[READ], deadline=PATIENCE) as channel,
    ):
        outcome = await outcome_of(unary(channel, method)(b"x"))
    assert len(seen) == executions
    assert outcome == (b"done" if executions == 3 else Kind.UNAVAILABLE)


@pytest.mark.parametrize("kind", [Kind.INTERNAL, Kind.EXHAUSTED, Kind.CONFLICT])
async def test_only_unavailable_is_tried_again(serve: Serve, socket: str, token: Secret, kind: Kind) -> None:
    seen: list[bytes] = []

    async def refusing(request: bytes, _context: Context) -> bytes:
        seen.append(request)
        refuse(kind, "some_reason", "why")

    async with (
        serve(socket, Read=refusing) as served,
        connect(served.address, token, idempotent=[READ]) as channel,
    ):
        with pytest.raises(RemoteError):
            await unary(channel, "Read")(b"")
    assert len(seen) == 1


async def test_after_a_restart_an_idempotent_call_succeeds_and_another_does_not(
    serve: Serve, socket: str, token: Secret
) -> None:
    executions: list[bytes] = []
    both_entered = asyncio.Event()

    async def hang(request: bytes, _context: Context) -> bytes:
        executions.append(request)
        if len(executions) == 2:
            both_entered.set()
        await asyncio.Event().wait()
        return b""

    async def answer(request: bytes, _context: Context) -> bytes:
        executions.append(request)
        return b"done"

    async with connect(socket, token, idempotent=[READ], deadline=PATIENCE) as channel:
        async with serve(socket, grace=0, Read=hang, Write=hang):
            read = asyncio.ensure_future(unary(channel, "Read")(b"read"))
            write = asyncio.ensure_future(unary(channel, "Write")(b"write"))
            await both_entered.wait()
        async with serve(socket, Read=answer, Write=answer):
            assert await read == b"done"
            with pytest.raises(RemoteError) as caught:
                await write
    assert caught.value.kind is Kind.UNAVAILABLE
    assert sorted(executions) == [b"read", b"read", b"write"]


async def test_a_call_waits_for_a_server_that_is_slow_to_shake_hands(
    serve: Serve, socket: str, token: Secret, tmp_path: Path
) -> None:
    async def read(_request: bytes, _context: Context) -> bytes:
        return b"read"

    async with serve(socket, Read=read) as served, AsyncExitStack() as held:
        slow = tmp_path / "slow"
        gate = await asyncio.start_unix_server(
            partial(_pass_on, served.address.removeprefix("unix:"), held), slow
        )
        await held.enter_async_context(gate)
        async with connect(f"unix:{slow}", token, deadline=PATIENCE) as channel:
            assert await unary(channel, "Read")(b"") == b"read"


async def _pass_on(
    path: str, held: AsyncExitStack, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Let a caller wait longer than the shortest pause between two attempts, then join it with the server."""
    await asyncio.sleep(0.5)
    answers, requests = await asyncio.open_unix_connection(path)
    for each in (requests, writer):
        held.callback(each.close)
    async with asyncio.TaskGroup() as both:
        both.create_task(_copy(reader, requests))
        both.create_task(_copy(answers, writer))


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while block := await source.read(65536):
        target.write(block)
        await target.drain()
    target.close()
