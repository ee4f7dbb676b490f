"""Granian inside the process's own event loop."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final

from granian.constants import Interfaces
from granian.server.embed import Server
from litestar.types import ASGIApp

from deepoj_kit.lifecycle import StartError

# Longer than two heartbeats of a stream: a client that takes nothing for so long does not read any more.
STALL: Final = timedelta(seconds=45)
_LISTEN_SECONDS: Final = 30.0
_log = logging.getLogger(__name__)


class HttpServer:
    def __init__(
        self,
        app: ASGIApp,
        listen: str,
        grace: timedelta = timedelta(seconds=5),
        stall: timedelta = STALL,
    ) -> None:
        """`grace` is for answers under way at the end; a client that takes nothing for `stall` is cut off."""
        self._grace = grace.total_seconds()
        self._stall = stall
        self._stopping = asyncio.Event()
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
        serving = asyncio.create_task(self._server.serve())
        stopping = asyncio.create_task(self._stopping.wait())
        await self._cut_off_who_stalls(serving)
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        _ = stopping.cancel()
        # Granian waits for its last connection, and that one may belong to a client that does not read.
        await asyncio.wait({serving}, timeout=self._grace)
        if serving.done():
            await serving
        else:
            _log.warning("some connections were still open after %g s", self._grace)

    def stop(self) -> None:
        self._stopping.set()
        self._server.stop()  # type: ignore[no-untyped-call]  # granian annotates its constructor only

    async def accepts_connections(self) -> None:
        """Raise unless the port answers."""
        _, writer = await asyncio.open_connection(self._host, self._port)
        writer.close()
        await writer.wait_closed()

    async def _cut_off_who_stalls(self, serving: asyncio.Task[None]) -> None:
        """Let the kernel end connections whose window stays shut; accepted sockets inherit the option.

        Granian has no time limit for writing and keeps its socket to itself, so it is looked up by its port.
        """
        deadline = asyncio.get_running_loop().time() + _LISTEN_SECONDS
        while not (serving.done() or self._stopping.is_set()):
            listeners = self._listeners()
            for listener in listeners:
                with listener:
                    milliseconds = self._stall // timedelta(milliseconds=1)
                    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
            if listeners:
                return
            if asyncio.get_running_loop().time() > deadline:
                raise StartError(f"the HTTP server does not listen on {self._host}:{self._port}")
            await asyncio.sleep(0.01)

    def _listeners(self) -> list[socket.socket]:
        found = []
        # As a list: copies made meanwhile are not to be found too.
        for entry in list(Path("/proc/self/fd").iterdir()):
            # One may be closed meanwhile.
            with suppress(OSError):
                if not entry.readlink().name.startswith("socket:"):
                    continue
                candidate = socket.socket(fileno=os.dup(int(entry.name)))
                if candidate.family in {socket.AF_INET, socket.AF_INET6} and self._is_ours(candidate):
                    found.append(candidate)
                else:
                    candidate.close()
        return found

    def _is_ours(self, candidate: socket.socket) -> bool:
        listens = candidate.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        return bool(listens) and candidate.getsockname()[1] == self._port

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
