"""TLS before servers that have none, as a proxy of an operator would be."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from deepoj_kit.tls import Tls
from kit.tests.certificates import LOOPBACK


@asynccontextmanager
async def behind_tls(tls: Tls, target: str, *, mutual: bool = False, alpn: str = "") -> AsyncIterator[int]:
    """Put TLS before a server whose program has none; `target` is unix:/path or host:port.

    Channels of gRPC want `alpn` h2.
    """
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=tls.authorities)
    assert tls.certificate is not None
    context.load_cert_chain(tls.certificate, tls.key)
    if alpn:
        context.set_alpn_protocols([alpn])
    context.verify_mode = ssl.CERT_REQUIRED if mutual else ssl.CERT_NONE

    served: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await writer.start_tls(context)
        inner_reader, inner_writer = await opened(target)
        try:
            await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))
        finally:
            inner_writer.transport.abort()
            writer.transport.abort()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # What a client says first is for TLS, which the task begins; a connection is known before that.
        assert isinstance(writer.transport, asyncio.Transport)
        writer.transport.pause_reading()
        served[asyncio.create_task(serve(reader, writer))] = writer

    server = await asyncio.start_server(accepted, LOOPBACK, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task, writer in served.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*served, return_exceptions=True)


async def opened(target: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if target.startswith("unix:"):
        return await asyncio.open_unix_connection(target.removeprefix("unix:"))
    host, _, port = target.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    writer.close()
