"""A box held through the agent, and the agent itself."""

import os
import socket
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from deepoj_sandbox import codec
from deepoj_sandbox.agent import messages
from deepoj_sandbox.client.connection import PROMPT_SECONDS, Connection, read_and_close
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.stdin import seal
from deepoj_sandbox.request import BoxSpec, RunRequest
from deepoj_sandbox.result import RunResult, Status

Content = bytes | int
# The agent ends a run at its wall limit. Before, a run may wait for others that want to be alone; and this is
# for an agent that has stopped to work, not for one that is busy.
_RUN_SPARE_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A result and the output that was not sent to a file of the caller's."""

    result: RunResult
    stdout: bytes
    stderr: bytes


class RemoteBox:
    def __init__(self, connection: Connection, number: int) -> None:
        self._connection = connection
        self.number = number

    async def put(
        self, name: str, content: Content, *, executable: bool = False, into_work: bool = False
    ) -> None:
        """Put a file into /app, or into the directory programs start in. `content`: bytes or a descriptor."""
        message = messages.Put(box=self.number, name=name, executable=executable, into_work=into_work)
        with _Passed(content) as source:
            await self._connection.ask("put", message, (source,))

    async def run(
        self,
        request: RunRequest,
        *,
        stdin: Content | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> Outcome:
        """Run one program. Output goes to the regular files given, else it comes back."""
        message = messages.Run(
            box=self.number,
            request=request,
            stdin=stdin is not None,
            stdout=stdout is not None,
            stderr=stderr is not None,
        )
        sinks = tuple(sink for sink in (stdout, stderr) if sink is not None)
        with _Passed(stdin) as source:
            sources = () if stdin is None else (source,)
            answer = await self._connection.ask("run", message, sources + sinks, seconds=_longest(request))
        output = answer.output()
        result = _result(answer.fields.get("result"))
        return Outcome(result=result, stdout=output.get("stdout", b""), stderr=output.get("stderr", b""))

    async def take(self, name: str, limit: int = 64 << 20) -> bytes:
        """Read a file the last run left in its scratch directory."""
        message = messages.Take(box=self.number, name=name, limit=limit)
        answer = await self._connection.ask("take", message)
        return read_and_close(answer.received[0])

    async def names(self) -> list[str]:
        """List the regular files the last run left, in subdirectories too."""
        answer = await self._connection.ask("list", messages.List(box=self.number))
        names = answer.fields.get("names")
        return [str(name) for name in names] if isinstance(names, list) else []

    async def reset(self) -> None:
        await self._connection.ask("reset", messages.Reset(box=self.number))

    async def close(self) -> None:
        await self._connection.ask("close", messages.Close(box=self.number))

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
        message = messages.Open(spec=spec or BoxSpec(), wait_ms=wait_ms)
        seconds = wait_ms / 1000 + PROMPT_SECONDS
        answer = await self._connection.ask("open", message, seconds=seconds)
        number = answer.fields.get("box")
        if not isinstance(number, int):
            raise SandboxError("open box", 0, "the agent's answer makes no sense")
        return RemoteBox(self._connection, number)

    async def run_pair(
        self, boxes: tuple[RemoteBox, RemoteBox], requests: tuple[RunRequest, RunRequest]
    ) -> tuple[Outcome, Outcome]:
        """Run two programs with each one's stdout on the other's stdin."""
        message = messages.Pair(
            first_box=boxes[0].number, second_box=boxes[1].number, first=requests[0], second=requests[1]
        )
        answer = await self._connection.ask("pair", message, seconds=_longest(*requests))
        errors = answer.output()
        results = answer.fields.get("results")
        if not isinstance(results, list):
            raise SandboxError("run pair", 0, "the agent's answer makes no sense")
        first, second = (
            Outcome(result=_result(result), stdout=b"", stderr=errors.get(name, b""))
            for name, result in zip(("first", "second"), results, strict=True)
        )
        return first, second

    async def status(self, *, seconds: float = PROMPT_SECONDS) -> codec.Json:
        return (await self._connection.ask("status", messages.AskStatus(), seconds=seconds)).fields

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


class _Passed:
    """A descriptor for what is to be sent; bytes travel in a sealed memfd."""

    def __init__(self, content: Content | None) -> None:
        self._content = content
        self._own = -1

    def __enter__(self) -> int:
        if isinstance(self._content, int):
            return self._content
        if self._content is None:
            return -1
        self._own = os.memfd_create("content", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        rest = memoryview(self._content)
        while rest:
            rest = rest[os.write(self._own, rest) :]
        seal(self._own)
        return self._own

    def __exit__(self, *_: object) -> None:
        if self._own >= 0:
            os.close(self._own)


def _result(value: codec.JsonValue) -> RunResult:
    if not isinstance(value, dict):
        raise SandboxError("read answer", 0, "no result")
    try:
        return RunResult(**{**value, "status": Status(str(value["status"]))})  # type: ignore[arg-type]  # the agent is ours
    except (KeyError, TypeError, ValueError):
        raise SandboxError("read answer", 0, "the result makes no sense") from None
