"""An HTTP/1.1 client that costs so little that the server is what is measured."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

_HEAD_END = b"\r\n\r\n"


def request(method: str, path: str, token: str = "", body: object = None) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = [f"{method} {path} HTTP/1.1", "host: bench", "accept: */*"]
    if token:
        head.append(f"authorization: Bearer {token}")
    if body is not None:
        head += ["content-type: application/json", f"content-length: {len(content)}"]
    return "\r\n".join([*head, "", ""]).encode() + content


@dataclass
class Answers:
    """What a load came to: `seconds` for all of it, `times` of each request."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds


class _Sender(asyncio.Protocol):
    """One connection that sends its next request when the last is answered; any refusal is a failure."""

    def __init__(self, requests: Iterator[bytes], times: list[float]) -> None:
        self._requests = requests
        self._times = times
        self._buffer = b""
        self._sent = 0.0
        self._transport: asyncio.Transport | None = None
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 — for the type checker: this is TCP
        self._transport = transport
        self._send_next(transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(_HEAD_END)
        if not found or len(body) < _content_length(head):
            return
        self._times.append(time.perf_counter() - self._sent)
        self._buffer = b""
        if not head.startswith(b"HTTP/1.1 20"):
            self._fail(f"{head.splitlines()[0].decode()}: {body.decode()}")
        elif self._transport is not None:
            self._send_next(self._transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(f"the connection was lost: {exc}")

    def _send_next(self, transport: asyncio.Transport) -> None:
        following = next(self._requests, None)
        if following is None:
            self.done.set_result(None)
            transport.close()
        else:
            self._sent = time.perf_counter()
            transport.write(following)

    def _fail(self, why: str) -> None:
        if not self.done.done():
            self.done.set_exception(RuntimeError(why))


def _content_length(head: bytes) -> int:
    lowered = head.lower()
    start = lowered.index(b"content-length:") + len(b"content-length:")
    return int(lowered[start:].partition(b"\r\n")[0])


async def load(port: int, connections: Sequence[Iterator[bytes]]) -> Answers:
    """Send the requests of each connection one after the other, all connections at the same time."""
    answers = Answers()
    loop = asyncio.get_running_loop()
    begun = time.perf_counter()
    made = [
        await loop.create_connection(partial(_Sender, each, answers.times), "127.0.0.1", port)
        for each in connections
    ]
    await asyncio.gather(*(sender.done for _, sender in made))
    answers.seconds = time.perf_counter() - begun
    return answers


@dataclass
class EventStream:
    """An event stream over a connection of its own. Granian sends it in chunks; frames are found inside."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    _text: str = ""

    @classmethod
    async def open(cls, port: int, path: str, token: str) -> EventStream:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 14)
        writer.write(request("GET", path, token))
        head = await reader.readuntil(_HEAD_END)
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        return cls(reader, writer)

    async def next(self) -> tuple[str, str] | None:
        """Return the name and data of the next event; None at the end of the stream."""
        while True:
            while "\n\n" not in self._text:
                size = int((await self.reader.readuntil(b"\r\n")).strip(), 16)
                chunk = await self.reader.readexactly(size + 2)
                if size == 0:
                    return None
                self._text += chunk[:-2].decode()
            frame, _, self._text = self._text.partition("\n\n")
            fields = dict(line.split(": ", 1) for line in frame.splitlines() if not line.startswith(":"))
            if "data" in fields:
                return fields["event"], fields["data"]

    def close(self) -> None:
        self.writer.close()
