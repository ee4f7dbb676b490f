"""A store on the test's own bucket, and a proxy that spoils connections to the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import urlsplit

import pytest

from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.testing.servers import Servers


@pytest.fixture
def store_at(servers: Servers, bucket: str) -> Callable[[str], ObjectStore]:
    access = servers.s3
    return lambda endpoint: ObjectStore(endpoint, access.access_key, Secret(access.secret_key), bucket)


@pytest.fixture
async def store(servers: Servers, store_at: Callable[[str], ObjectStore]) -> AsyncIterator[ObjectStore]:
    async with store_at(servers.s3.endpoint) as opened:
        yield opened


class CuttingProxy:
    """Passes bytes on; when one side has sent enough, holds them until `release`, then cuts or goes on."""

    def __init__(self, endpoint: str, after: int) -> None:
        self.endpoint = ""
        self.reached = asyncio.Event()
        self._released = asyncio.Event()
        self._cut = True
        self._host, self._port = urlsplit(endpoint).netloc.split(":")
        self._after = after
        self._connections: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    async def serve(self) -> asyncio.Server:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.endpoint = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return server

    def release(self, *, cut: bool) -> None:
        self._cut = cut
        self._released.set()

    async def close(self) -> None:
        for each in self._connections:
            each.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)
        task = asyncio.create_task(self._connection(reader, writer))
        self._connections.add(task)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(self._host, int(self._port))
        self._writers.append(there_writer)
        pumps = [self._pump(reader, there_writer), self._pump(there_reader, writer)]
        tasks = [asyncio.create_task(each) for each in pumps]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for end in (writer, there_writer):
                end.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = self._after
        while data := await reader.read(65536):
            left -= len(data)
            if left <= 0:
                self.reached.set()
                await self._released.wait()
                if self._cut:
                    return
            writer.write(data)
            await writer.drain()


@pytest.fixture
def cutting_proxy(servers: Servers) -> Callable[[int], AbstractAsyncContextManager[CuttingProxy]]:
    @asynccontextmanager
    async def proxy(after: int) -> AsyncIterator[CuttingProxy]:
        cutting = CuttingProxy(servers.s3.endpoint, after)
        server = await cutting.serve()
        try:
            yield cutting
        finally:
            server.close()
            await cutting.close()

    return proxy
