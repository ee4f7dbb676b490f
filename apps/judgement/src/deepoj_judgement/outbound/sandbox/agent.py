"""The sandbox's agent behind the port: warm boxes over a unix socket."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Self

from deepoj_judgement.commands.running import Blob, Command, Ran, RunRef
from deepoj_judgement.outbound.sandbox.files import FileBlob, MemoryFile
from deepoj_judgement.outbound.sandbox.translation import report_of, request_of, translated
from deepoj_sandbox.client import Agent, Outcome, RemoteBox, connect
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.result import RunResult, Status

_BOX_WAIT_MS = 30_000
_STATUS_SECONDS = 2.0


class AgentSandbox:
    def __init__(self, socket: Path, work: Path) -> None:
        self._socket = socket
        self._work = work

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[AgentWorkspace]:  # noqa: ARG002 — a connection tells jobs apart
        with tempfile.TemporaryDirectory(dir=self._work, prefix="job-") as directory:
            yield AgentWorkspace(self._socket, Path(directory))

    async def status(self) -> Mapping[str, object]:
        """Say which layers are active; raise SandboxFailedError when nobody answers soon."""
        with translated():
            async with await connect(str(self._socket)) as agent:
                return await agent.status(seconds=_STATUS_SECONDS)


class AgentWorkspace:
    def __init__(self, socket: Path, directory: Path) -> None:
        self._socket = socket
        self._directory = directory
        self._boxes = 0

    @asynccontextmanager
    async def box(self) -> AsyncIterator[AgentBox]:
        async with _Line(self._socket) as line:
            with closing(AgentBox(line, self._new_directory())) as box:
                await box.open()
                yield box

    @asynccontextmanager
    async def pair(self) -> AsyncIterator[AgentPair]:
        async with _Line(self._socket) as line:
            with (
                closing(AgentBox(line, self._new_directory())) as first,
                closing(AgentBox(line, self._new_directory())) as second,
            ):
                pair = AgentPair(line, first, second)
                await pair.open()
                yield pair

    async def file(self, name: str, content: bytes) -> Blob:
        path = self._directory / name
        path.write_bytes(content)
        return FileBlob(path)

    def _new_directory(self) -> Path:
        self._boxes += 1
        directory = self._directory / str(self._boxes)
        directory.mkdir()
        return directory


class _Line:
    """A connection to the agent; hanging up kills whatever runs and destroys its boxes."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._agent: Agent | None = None

    async def __aenter__(self) -> Self:
        await self.renew()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hang_up()

    async def renew(self) -> None:
        self._hang_up()
        with translated():
            self._agent = await connect(str(self._socket))

    @property
    def agent(self) -> Agent:
        if self._agent is None:
            raise RuntimeError("the line is not open")
        return self._agent

    def _hang_up(self) -> None:
        if self._agent is not None:
            self._agent.close()
        self._agent = None


class AgentBox:
    def __init__(self, line: _Line, directory: Path) -> None:
        self._line = line
        self._directory = directory
        self._files: list[tuple[str, Blob | bytes, bool]] = []
        self._box: RemoteBox | None = None
        self._stdout, self._stderr = MemoryFile(), MemoryFile()

    def close(self) -> None:
        self._stdout.close()
        self._stderr.close()

    async def open(self) -> None:
        """Get a box of the line; one that stands for a lost one is furnished alike."""
        with translated():
            self._box = await self._line.agent.open_box(wait_ms=_BOX_WAIT_MS)
        for name, content, executable in self._files:
            await self._send(name, content, executable=executable)

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        self._files.append((name, content, executable))
        await self._send(name, content, executable=executable)

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        with _reading(stdin) as source:
            result = await self._run_steps(command, source, self._stdout.empty(), self._stderr.empty())
        taken = {} if result.box_lost else await self.take(take)
        if result.box_lost:
            # The program's memory took the box with it: the next run needs another.
            await self._line.renew()
            await self.open()
        return Ran(report_of(result), self._stdout, self._stderr, taken)

    def heard(self, outcome: Outcome, taken: dict[str, Blob]) -> Ran:
        """Turn the end of a talk into what a run leaves; what was said went to the other program."""
        self._stdout.empty()
        self._stderr.path.write_bytes(outcome.stderr)
        return Ran(report_of(outcome.result), self._stdout, self._stderr, taken)

    async def _run_steps(self, command: Command, stdin: int, stdout: int, stderr: int) -> RunResult:
        result: RunResult | None = None
        with translated():
            for number in range(len(command.steps)):
                request = request_of(command, number)
                outcome = await self.remote.run(request, stdin=stdin, stdout=stdout, stderr=stderr)
                result = outcome.result
                if result.status is not Status.OK:
                    break
        if result is None:
            raise ValueError("a command has at least one step")
        return result

    async def take(self, names: tuple[str, ...]) -> dict[str, Blob]:
        taken: dict[str, Blob] = {}
        for name in names:
            path = self._directory / f"taken-{len(taken)}"
            with translated():
                try:
                    path.write_bytes(await self.remote.take(name))
                except BadRequest:
                    continue
            taken[name] = FileBlob(path)
        return taken

    async def _send(self, name: str, content: Blob | bytes, *, executable: bool) -> None:
        with translated():
            if isinstance(content, bytes):
                await self.remote.put(name, content, executable=executable)
                return
            with _reading(content) as source:
                await self.remote.put(name, source, executable=executable)

    @property
    def remote(self) -> RemoteBox:
        if self._box is None:
            raise RuntimeError("the box is not open")
        return self._box


class AgentPair:
    def __init__(self, line: _Line, first: AgentBox, second: AgentBox) -> None:
        self._line = line
        self.first = first
        self.second = second

    async def open(self) -> None:
        await self.first.open()
        await self.second.open()

    async def run(self, first: Command, second: Command, *, take: tuple[str, ...] = ()) -> tuple[Ran, Ran]:
        boxes = self.first.remote, self.second.remote
        with translated():
            requests = request_of(first), request_of(second)
            one, other = await self._line.agent.run_pair(boxes, requests)
        taken = {} if other.result.box_lost else await self.second.take(take)
        if one.result.box_lost or other.result.box_lost:
            await self._line.renew()
            await self.open()
        return self.first.heard(one, {}), self.second.heard(other, taken)


@contextmanager
def _reading(blob: Blob | None) -> Iterator[int]:
    path = os.devnull if blob is None else blob.path
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
