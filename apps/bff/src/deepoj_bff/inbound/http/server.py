"""Granian inside the process's own event loop."""

from __future__ import annotations

import asyncio
import socket

from granian.constants import Interfaces
from granian.server.embed import Server
from litestar.types import ASGIApp

from deepoj_kit.lifecycle import StartError


class HttpServer:
    def __init__(self, app: ASGIApp, listen: str) -> None:
        host, _, port = listen.rpartition(":")
        self._host = host
        self._port = int(port)
        self._refuse_taken_port()
        self._server = Server(
            app,
            address=host,
            port=self._port,
            interface=Interfaces.ASGI,
            websockets=False,
            backlog=1024,
            # A stream in a browser's tab holds its connection: there must be room for those beside it.
            backpressure=20_000,
            log_enabled=False,
        )

    async def serve(self) -> None:
        await self._server.serve()

    def stop(self) -> None:
        self._server.stop()  # type: ignore[no-untyped-call]  # granian annotates its constructor only

    async def accepts_connections(self) -> None:
        """Raise unless the port answers."""
        _, writer = await asyncio.open_connection(self._host, self._port)
        writer.close()
        await writer.wait_closed()

    def _refuse_taken_port(self) -> None:
        # Granian listens with SO_REUSEPORT: it would share the port with another process without a word.
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self._host, self._port))
            except OSError as error:
                raise StartError(
                    f"cannot listen on {self._host}:{self._port} (listen): {error.strerror}"
                ) from error
