"""The operators' endpoint: /livez, /readyz and /metrics. Small on purpose; it is not a web server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from http import HTTPStatus

import msgspec

from deepoj_kit.lifecycle.readiness import Readiness, State
from deepoj_kit.lifecycle.start_error import StartError

MAX_REQUEST = 8 * 1024
REQUEST_TIMEOUT = 10.0
METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    status: HTTPStatus
    body: bytes
    content_type: str = "application/json"

    def encoded(self, *, head: bool) -> bytes:
        lines = (
            f"HTTP/1.1 {self.status.value} {self.status.phrase}",
            f"Content-Type: {self.content_type}",
            f"Content-Length: {len(self.body)}",
            "Cache-Control: no-store",
            "Connection: close",
        )
        return "\r\n".join((*lines, "", "")).encode() + (b"" if head else self.body)


class OpsEndpoint:
    def __init__(self, readiness: Readiness, metrics_page: Callable[[], bytes]) -> None:
        self._readiness = readiness
        self._metrics_page = metrics_page

    @contextlib.asynccontextmanager
    async def serve(self, address: str) -> AsyncIterator[str]:
        """Listen while the block runs; give the address with the port that was taken."""
        host, _, port = address.rpartition(":")
        try:
            server = await asyncio.start_server(
                self._connection, host.strip("[]"), int(port), limit=MAX_REQUEST
            )
        except OSError as error:
            raise StartError(f"cannot listen on {address} (ops_listen): {error.strerror or error}") from error
        async with server:
            yield f"{host}:{server.sockets[0].getsockname()[1]}"

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(REQUEST_TIMEOUT):
                writer.write(await self._exchange(reader))
                await writer.drain()
        except (TimeoutError, ConnectionError, asyncio.IncompleteReadError):
            _log.debug("ops request given up")
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _exchange(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return _problem(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE).encoded(head=False)
        request = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        if len(request) != 3 or not request[2].startswith("HTTP/1."):  # noqa: PLR2004 — method, target, version
            return _problem(HTTPStatus.BAD_REQUEST).encoded(head=False)
        method, target, _ = request
        if method not in {"GET", "HEAD"}:
            return _problem(HTTPStatus.METHOD_NOT_ALLOWED).encoded(head=False)
        return (await self._answer(target.split("?", 1)[0])).encoded(head=method == "HEAD")

    async def _answer(self, path: str) -> Answer:
        match path:
            case "/livez":
                return _json(HTTPStatus.OK, {"status": "alive"})
            case "/readyz":
                return await self._ready()
            case "/metrics":
                page = await asyncio.to_thread(self._metrics_page)
                return Answer(HTTPStatus.OK, page, METRICS_TYPE)
            case _:
                return _problem(HTTPStatus.NOT_FOUND)

    async def _ready(self) -> Answer:
        failing = await self._readiness.failing()
        state = self._readiness.state
        ready = state is State.READY and not failing
        status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
        degraded = self._readiness.degraded()
        return _json(
            status, {"status": state.value, "ready": ready, "failing": failing, "degraded": degraded}
        )


def _json(status: HTTPStatus, body: dict[str, object]) -> Answer:
    return Answer(status, msgspec.json.encode(body) + b"\n")


def _problem(status: HTTPStatus) -> Answer:
    return _json(status, {"status": status.phrase})
