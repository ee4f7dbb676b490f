"""The HTTP server with clients that do not read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from litestar.types import Receive, Scope, Send

from deepoj_bff.inbound.http.server import HttpServer
from deepoj_kit.embedded.free_ports import free_ports

PATIENCE = 60.0
REQUEST = b"GET /%b HTTP/1.1\r\nhost: oj.test\r\n\r\n"
CHUNK = b"x" * 65536


class Streams:
    """Sends without end to /flood, and to everybody else on demand."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.tick = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # type: ignore[comparison-overlap]  # the server asks for a lifespan first
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if scope["path"] == "/flood":
            flooding = asyncio.create_task(self._flood(send))
            while (await receive())["type"] != "http.disconnect":
                pass
            flooding.cancel()
            self.gone.set()
            return
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        await self.tick.wait()
        await send({"type": "http.response.body", "body": b"second", "more_body": False})

    async def _flood(self, send: Send) -> None:
        while True:
            await send({"type": "http.response.body", "body": CHUNK, "more_body": True})


@asynccontextmanager
async def serving(app: Streams, stall: timedelta) -> AsyncIterator[tuple[int, Callable[[], Awaitable[None]]]]:
    [port] = free_ports(1)
    server = HttpServer(app, f"127.0.0.1:{port}", timedelta(seconds=1), stall)
    running = asyncio.create_task(server.serve())
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                await server.accepts_connections()
                break
            except OSError:
                await asyncio.sleep(0.01)

    async def stop() -> None:
        server.stop()
        async with asyncio.timeout(PATIENCE):
            await running

    yield port, stop


def one_who_does_not_read(port: int) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", port))
    client.sendall(REQUEST % b"flood")
    return client


async def test_who_does_not_read_is_cut_off_and_the_others_are_not() -> None:
    app = Streams()
    async with serving(app, timedelta(seconds=1)) as (port, stop):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST % b"others")
        async with asyncio.timeout(PATIENCE):
            await reader.readuntil(b"first")
            with one_who_does_not_read(port):
                await app.gone.wait()
            app.tick.set()
            await reader.readuntil(b"second")
        writer.close()
        await stop()


async def test_the_server_stops_although_somebody_does_not_read() -> None:
    async with serving(Streams(), timedelta(hours=1)) as (port, stop):
        with one_who_does_not_read(port) as client:
            async with asyncio.timeout(PATIENCE):
                await asyncio.get_running_loop().run_in_executor(None, client.recv, 1)
            await stop()
