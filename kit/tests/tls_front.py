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

    served: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await opened(target)
        try:
            await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))
        finally:
            for each in (writer, inner_writer):
                each.transport.abort()

    def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served.add(asyncio.create_task(serve(reader, writer)))

    server = await asyncio.start_server(accepted, LOOPBACK, 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in served:
            task.cancel()
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
