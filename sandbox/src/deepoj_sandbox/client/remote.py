"""A box held through the agent, and the agent itself."""

import asyncio
import contextlib
import json
import os
import socket
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Self

from deepoj_sandbox import codec
from deepoj_sandbox.agent import messages
from deepoj_sandbox.client.connection import PROMPT_SECONDS, Connection
from deepoj_sandbox.client.lent_box import Core, LentBox
from deepoj_sandbox.client.output import Outcome, Output, memory_file
from deepoj_sandbox.errors import BadRequest, SandboxError
from deepoj_sandbox.host.stdin import safe_stdin, stdin_of
from deepoj_sandbox.host.streams import SHORT_BYTES
from deepoj_sandbox.kernel import descriptors
from deepoj_sandbox.request import BoxSpec, RunRequest
from deepoj_sandbox.result import RunResult, RunStatus

Content = bytes | int
# The agent ends a run at its wall limit. Before, a run may wait for others that want to be alone; and this is
# for an agent that has stopped to work, not for one that is busy.
_RUN_SPARE_SECONDS = 120.0
# Its control socket and the gate.
_LENT = 2


class RemoteBox:
    def __init__(self, connection: Connection, number: int, control: int, gate: int) -> None:
        self._connection = connection
        self.number = number
        self._turn = asyncio.Lock()
        self.lent = LentBox(control, gate, self._kills)
        connection.at_end(self.lent.close)

    async def put(self, name: str, content: Content, *, executable: bool = False) -> None:
        """Put a file into /app. `content`: bytes or a descriptor."""
        message = messages.Put(box=self.number, name=name, executable=executable)
        with _passed(content) as source:
            await self._connection.ask("put", _pack("put", message), (source,))

    async def run(self, request: RunRequest, *, stdin: Content = b"", core: Core | None = None) -> Outcome:
        """Run one program. It may be asked for while another runs, and starts when that is over.

        While it sleeps `core` is lent, if it is run from here and has a limit on its sleep.
        """
        async with self._turn:
            if self.lent.closed:
                self._connection.check()
                raise BadRequest("box", "was destroyed by an earlier failure")
            if request.alone or request.pin_cpu is not None or not self.lent.enter():
                self.lent.suspend()
                return await self._run_by_agent(request, stdin)
            try:
                return await self._run_here(request, stdin, core)
            except asyncio.CancelledError:
                # Hanging up is what kills it.
                self._connection.close()
                raise
            finally:
                self.lent.leave()

    async def _run_here(self, request: RunRequest, stdin: Content, core: Core | None) -> Outcome:
        limit = request.limits.input_bytes
        if isinstance(stdin, bytes):
            copy = stdin_of(stdin, limit)
        elif (short := _short_content(stdin)) is not None and len(short) <= SHORT_BYTES:
            copy = stdin_of(short, limit)
        else:
            copy = await asyncio.to_thread(safe_stdin, stdin, limit)
        return await self.lent.run(request, copy, core)

    async def _run_by_agent(self, request: RunRequest, stdin: Content) -> Outcome:
        packet = _pack("run", messages.Run(box=self.number, request=request)) + b"\n"
        if isinstance(stdin, bytes) and len(stdin) <= SHORT_BYTES:
            answer = await self._connection.ask("run", packet + stdin, seconds=_longest(request))
        else:
            with _passed(stdin) as source:
                answer = await self._connection.ask("run", packet, (source,), seconds=_longest(request))
        output = answer.output()
        result = _result(answer.fields.get("result"))
        return Outcome(result, output.get("stdout") or Output(), output.get("stderr") or Output())

    async def _kills(self) -> int:
        answer = await self._connection.ask("kills", _pack("kills", messages.Kills(box=self.number)))
        kills = answer.fields.get("kills")
        return kills if isinstance(kills, int) else 0

    async def take(self, name: str, limit: int = 64 << 20) -> bytes:
        """Read a file the last run left in its scratch directory."""
        message = messages.Take(box=self.number, name=name, limit=limit)
        answer = await self._connection.ask("take", _pack("take", message))
        return Output(memfd=answer.received[0]).read()

    async def names(self) -> list[str]:
        """List the regular files the last run left, in subdirectories too."""
        answer = await self._connection.ask("list", _pack("list", messages.List(box=self.number)))
        names = answer.fields.get("names")
        return [str(name) for name in names] if isinstance(names, list) else []

    async def reset(self) -> None:
        self.lent.suspend()
        await self._connection.ask("reset", _pack("reset", messages.Reset(box=self.number)))

    async def close(self) -> None:
        self.lent.close()
        await self._connection.ask("close", _pack("close", messages.Close(box=self.number)))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self.close()
        else:
            # Whatever state the conversation is in, hanging up destroys the box.
            self._connection.close()


class Agent:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def open_box(self, spec: BoxSpec | None = None, *, wait_ms: int = 0) -> RemoteBox:
        """Get a box; raise Busy when all are lent and none comes back in time."""
        return (await self.open_boxes(1, spec, wait_ms=wait_ms))[0]

    async def open_boxes(
        self, count: int, spec: BoxSpec | None = None, *, wait_ms: int = 0
    ) -> list[RemoteBox]:
        """Get so many boxes or none, so that nobody waits with some for those that another holds."""
        message = messages.Open(spec=spec or BoxSpec(), wait_ms=wait_ms, count=count)
        seconds = wait_ms / 1000 + PROMPT_SECONDS
        answer = await self._connection.ask("open", _pack("open", message), seconds=seconds)
        numbers, lent = answer.fields.get("boxes"), answer.received
        if not isinstance(numbers, list) or len(numbers) != count or len(lent) != count * _LENT:
            descriptors.close_all(lent)
            raise SandboxError("open box", 0, "the agent's answer makes no sense")
        return [
            RemoteBox(self._connection, int(str(number)), control, gate)
            for number, control, gate in zip(numbers, lent[::_LENT], lent[1::_LENT], strict=True)
        ]

    async def run_talk(
        self,
        boxes: Sequence[RemoteBox],
        requests: Sequence[RunRequest],
        *,
        stdin: Content | None = None,
        members_by_name: bool = False,
    ) -> list[Outcome]:
        """Run programs that talk, the leader first. With `stdin` that opens its channels by name.

        How channels are named: host/talk.py.
        """
        message = messages.Talk(
            boxes=tuple(box.number for box in boxes),
            requests=tuple(requests),
            leader_by_name=stdin is not None,
            members_by_name=members_by_name,
        )
        for box in boxes:
            box.lent.suspend()
        with _passed(b"" if stdin is None else stdin) as source:
            packet = _pack("talk", message)
            answer = await self._connection.ask("talk", packet, (source,), seconds=_longest(*requests))
        output = answer.output()
        results = answer.fields.get("results")
        if not isinstance(results, list):
            raise SandboxError("run talk", 0, "the agent's answer makes no sense")
        said = [output.get("stdout", Output()), *(Output() for _ in results[1:])]
        return [
            Outcome(_result(result), printed, output.get(f"stderr {place}", Output()))
            for place, (result, printed) in enumerate(zip(results, said, strict=True))
        ]

    async def status(self, *, seconds: float = PROMPT_SECONDS) -> codec.Json:
        packet = _pack("status", messages.AskStatus())
        return (await self._connection.ask("status", packet, seconds=seconds)).fields

    def close(self) -> None:
        self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def connect(path: str) -> Agent:
    """Connect at once or not at all: an agent that has stopped accepting would block the whole process."""
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    channel.settimeout(0)
    try:
        channel.connect(path)
    except OSError as error:
        channel.close()
        raise SandboxError("connect to agent", error.errno or 0) from error
    return Agent(Connection(channel))


def _longest(*requests: RunRequest) -> float:
    return max(request.limits.wall_ms for request in requests) / 1000 + _RUN_SPARE_SECONDS


def _pack(op: str, message: messages.Message) -> bytes:
    return json.dumps({"op": op, "v": messages.PROTOCOL, **codec.encode(message)}).encode()


@contextlib.contextmanager
def _passed(content: Content) -> Iterator[int]:
    """A descriptor for what is to be sent."""
    if isinstance(content, int):
        yield content
        return
    own = memory_file(content)
    try:
        yield own
    finally:
        os.close(own)


def _short_content(source: int) -> bytes | None:
    """What a file holds, and one byte more than is short; None: the agent has to look at it."""
    try:
        return os.pread(source, SHORT_BYTES + 1, 0)
    except OSError:  # neither a file nor a device: the agent says why it refuses
        return None


def _result(value: codec.JsonValue) -> RunResult:
    if not isinstance(value, list):
        raise SandboxError("read answer", 0, "no result")
    try:
        return RunResult(RunStatus(str(value[0])), *value[1:])  # type: ignore[arg-type]  # the agent is ours
    except (IndexError, TypeError, ValueError):
        raise SandboxError("read answer", 0, "the result makes no sense") from None
