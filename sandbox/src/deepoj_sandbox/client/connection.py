"""One connection to the agent: packets out, packets in, descriptors beside them."""

import asyncio
import errno
import socket
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from deepoj_sandbox import codec
from deepoj_sandbox.agent import messages
from deepoj_sandbox.client.output import Output
from deepoj_sandbox.errors import BadRequest, Busy, SandboxError
from deepoj_sandbox.kernel import descriptors

PROMPT_SECONDS = 30.0
"""For what the agent does at once, on a machine that is very busy."""


class Answer(NamedTuple):
    fields: codec.Json
    received: list[int]
    tail: bytes

    def output(self) -> dict[str, Output]:
        """What came back with the answer, by name."""
        memfds, short = self.fields.get("memfds"), self.fields.get("short")
        if not isinstance(memfds, list) or not isinstance(short, dict) or len(memfds) != len(self.received):
            descriptors.close_all(self.received)
            raise SandboxError("read answer", 0, "output is missing")
        found = {str(name): Output(memfd=each) for name, each in zip(memfds, self.received, strict=True)}
        start = 0
        for name, length in short.items():
            size = length if isinstance(length, int) else 0
            found[name] = Output(self.tail[start : start + size])
            start += size
        return found


class _Question(NamedTuple):
    op: str
    seconds: float
    answer: "asyncio.Future[tuple[bytes, list[int]]]"


class Connection:
    """A socket to the agent. Requests may be sent ahead; they are answered in their order."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray(messages.MAX_PACKET)
        self._asked: deque[_Question] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._writable: asyncio.Future[None] | None = None
        self._over: SandboxError | None = None
        self._at_end: list[Callable[[], None]] = []
        # Registered once: adding and removing it for every request costs more than the request.
        self._loop.add_reader(channel.fileno(), self._hear)

    def at_end(self, call: Callable[[], None]) -> None:
        """Have this called when the connection ends: what the agent lent goes with it."""
        self._at_end.append(call)

    def check(self) -> None:
        """Raise what ended the connection, if it is over."""
        if self._over:
            raise self._over

    async def ask(
        self, op: str, packet: bytes, passed: tuple[int, ...] = (), *, seconds: float = PROMPT_SECONDS
    ) -> Answer:
        """Send one request, wait for its answer, for so many seconds at most once it is its turn.

        Cancelled half-way or out of time, the connection is of no more use.
        """
        question = _Question(op, seconds, self._loop.create_future())
        try:
            await self._send(packet, passed)
            self._asked.append(question)
            if len(self._asked) == 1:
                self._start_clock()
            reply, received = await question.answer
        except asyncio.CancelledError:
            self.close()
            if question.answer.done() and not question.answer.cancelled() and not question.answer.exception():
                descriptors.close_all(question.answer.result()[1])
            raise
        except OSError as error:
            self.close()
            raise SandboxError("talk to agent", error.errno or 0) from error
        head, _, tail = reply.partition(b"\n")
        return Answer(_checked(codec.parse_object(head)), received, tail)

    async def _send(self, packet: bytes, passed: tuple[int, ...]) -> None:
        while True:
            self.check()
            try:
                descriptors.send(self._channel, packet, passed)
            except BlockingIOError:
                await self._room()
            else:
                return

    async def _room(self) -> None:
        """Wait until the socket takes more. All who wait are woken, and try again."""
        if self._writable is None:
            self._writable = self._loop.create_future()
            self._loop.add_writer(self._channel.fileno(), self._wake_writers)
        await asyncio.shield(self._writable)

    def _wake_writers(self) -> None:
        if self._writable:
            self._loop.remove_writer(self._channel.fileno())
            self._writable.set_result(None)
            self._writable = None

    def _hear(self) -> None:
        try:
            packet, received = descriptors.receive(self._channel, self._buffer)
        except BlockingIOError:
            return
        except (OSError, ValueError) as error:
            self._end(SandboxError("talk to agent", getattr(error, "errno", None) or 0))
            return
        if not packet or not self._asked:
            descriptors.close_all(received)
            self._end(SandboxError("talk to agent", 0, "the agent hung up"))
            return
        self._asked.popleft().answer.set_result((packet, received))
        self._start_clock()

    def _start_clock(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(self._asked[0].seconds, self._give_up) if self._asked else None

    def _give_up(self) -> None:
        silence = f"no answer to {self._asked[0].op} within {self._asked[0].seconds:g} s"
        self._end(SandboxError("talk to agent", errno.ETIMEDOUT, silence))

    def close(self) -> None:
        """Hang up: the agent kills what runs. Whoever waits for an answer learns of it."""
        self._end(SandboxError("talk to agent", 0, "the connection was closed"))

    def _end(self, reason: SandboxError) -> None:
        if self._over:
            return
        self._over = reason
        if self._timer:
            self._timer.cancel()
        if not self._loop.is_closed():
            self._loop.remove_reader(self._channel.fileno())
            self._wake_writers()
        self._channel.close()
        for question in self._asked:
            if not question.answer.done():
                question.answer.set_exception(reason)
        self._asked.clear()
        for call in self._at_end:
            call()


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
