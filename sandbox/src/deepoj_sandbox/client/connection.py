"""One connection to the agent: packets out, packets in, descriptors beside them."""

import asyncio
import errno
import json
import os
import socket
from typing import NamedTuple

from deepoj_sandbox import codec
from deepoj_sandbox.agent import messages
from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.kernel import descriptors

_READ_BYTES = 1 << 20
PROMPT_SECONDS = 30.0
"""For what the agent does at once, on a machine that is very busy."""


class Answer(NamedTuple):
    fields: codec.Json
    received: list[int]
    tail: bytes

    def output(self) -> dict[str, bytes]:
        """What came back with the answer, by name."""
        memfds, short = self.fields.get("memfds"), self.fields.get("short")
        if not isinstance(memfds, list) or not isinstance(short, dict) or len(memfds) != len(self.received):
            descriptors.close_all(self.received)
            raise SandboxError("read answer", 0, "output is missing")
        found = {str(name): read_and_close(each) for name, each in zip(memfds, self.received, strict=True)}
        start = 0
        for name, length in short.items():
            size = length if isinstance(length, int) else 0
            found[name] = self.tail[start : start + size]
            start += size
        return found


class Connection:
    """A socket to the agent and at most one request under way."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._turn = asyncio.Lock()
        self._buffer = bytearray(messages.MAX_PACKET)
        self._waiting: asyncio.Future[None] | None = None
        self._last: tuple[messages.Message | None, bytes] = (None, b"")

    async def ask(
        self,
        op: str,
        message: messages.Message,
        passed: tuple[int, ...] = (),
        *,
        seconds: float = PROMPT_SECONDS,
    ) -> Answer:
        """Send one request, wait for its answer, for so many seconds at most.

        Cancelled half-way or out of time, the connection is of no more use.
        """
        async with self._turn:
            try:
                async with asyncio.timeout(seconds):
                    await self._send(self._pack(op, message), passed)
                    await self._ready(writing=False)
                packet, received = descriptors.receive(self._channel, self._buffer)
            except TimeoutError as error:
                self.close()
                silence = f"no answer to {op} within {seconds:g} s"
                raise SandboxError("talk to agent", errno.ETIMEDOUT, silence) from error
            except OSError as error:
                self.close()
                raise SandboxError("talk to agent", error.errno or 0) from error
            except BaseException:
                self.close()
                raise
        if not packet:
            self.close()
            raise SandboxError("talk to agent", 0, "the agent hung up")
        head, _, tail = packet.partition(b"\n")
        return Answer(_checked(codec.parse_object(head)), received, tail)

    def _pack(self, op: str, message: messages.Message) -> bytes:
        # The cases of one submission are asked for with the same words.
        if message != self._last[0]:
            fields = {"op": op, "v": messages.PROTOCOL, **codec.encode(message)}
            self._last = (message, json.dumps(fields).encode())
        return self._last[1]

    async def _send(self, packet: bytes, passed: tuple[int, ...]) -> None:
        try:
            descriptors.send(self._channel, packet, passed)
        except BlockingIOError:
            await self._ready(writing=True)
            descriptors.send(self._channel, packet, passed)

    async def _ready(self, *, writing: bool) -> None:
        descriptor = self._channel.fileno()
        loop = asyncio.get_running_loop()
        waiting = self._waiting = loop.create_future()
        watch, unwatch = (
            (loop.add_writer, loop.remove_writer) if writing else (loop.add_reader, loop.remove_reader)
        )
        watch(descriptor, _settle, waiting)
        try:
            await waiting
        finally:
            self._waiting = None
            unwatch(descriptor)

    def close(self) -> None:
        """Hang up: the agent kills what runs. Whoever waits for an answer learns of it."""
        if self._waiting and not self._waiting.done():
            self._waiting.get_loop().remove_reader(self._channel.fileno())
            self._waiting.set_exception(SandboxError("talk to agent", 0, "the connection was closed"))
        self._channel.close()


def _settle(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def _checked(answer: codec.Json) -> codec.Json:
    error = answer.get("error")
    if not isinstance(error, dict):
        return answer
    match error.get("kind"):
        case "bad_request":
            raise BadRequest(str(error.get("field")), str(error.get("reason")))
        case "busy":
            raise Busy
        case _:
            code = error.get("errno")
            detail = str(error.get("detail", ""))
            raise SandboxError(str(error.get("step")), code if isinstance(code, int) else 0, detail)


def read_and_close(source: int) -> bytes:
    try:
        chunks = []
        offset = 0
        while chunk := os.pread(source, _READ_BYTES, offset):
            chunks.append(chunk)
            offset += len(chunk)
        return b"".join(chunks)
    finally:
        os.close(source)
