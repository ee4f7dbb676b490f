"""The sandbox's agent behind the port: warm boxes over a unix socket."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from deepoj_judgement.commands.running import Blob, Command, Ran, RunRef
from deepoj_judgement.outbound.sandbox.files import FileBlob
from deepoj_judgement.outbound.sandbox.translation import box_limits, report_of, translated
from deepoj_sandbox.client import Agent, RemoteBox, connect
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.request import DEFAULT_ENVIRONMENT, RunRequest
from deepoj_sandbox.result import RunResult, Status

_BOX_WAIT_MS = 30_000


class AgentSandbox:
    def __init__(self, socket: Path, work: Path) -> None:
        self._socket = socket
        self._work = work

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[AgentWorkspace]:  # noqa: ARG002 — a connection tells jobs apart
        with tempfile.TemporaryDirectory(dir=self._work, prefix="job-") as directory:
            yield AgentWorkspace(self._socket, Path(directory))

    async def status(self) -> Mapping[str, object]:
        """Say which layers are active; raise SandboxFailedError when nobody answers."""
        with translated():
            async with await connect(str(self._socket)) as agent:
                return await agent.status()


class AgentWorkspace:
    def __init__(self, socket: Path, directory: Path) -> None:
        self._socket = socket
        self._directory = directory
        self._boxes = 0

    @asynccontextmanager
    async def box(self) -> AsyncIterator[AgentBox]:
        self._boxes += 1
        directory = self._directory / str(self._boxes)
        directory.mkdir()
        box = AgentBox(self._socket, directory)
        await box.open()
        try:
            yield box
        finally:
            box.close()

    async def file(self, name: str, content: bytes) -> Blob:
        path = self._directory / name
        path.write_bytes(content)
        return FileBlob(path)


class AgentBox:
    """A connection of its own: closing it kills whatever runs and destroys the box."""

    def __init__(self, socket: Path, directory: Path) -> None:
        self._socket = socket
        self._directory = directory
        self._files: list[tuple[str, Blob | bytes, bool]] = []
        self._agent: Agent | None = None
        self._box: RemoteBox | None = None

    async def open(self) -> None:
        with translated():
            self._agent = await connect(str(self._socket))
            self._box = await self._agent.open_box(wait_ms=_BOX_WAIT_MS)

    def close(self) -> None:
        if self._agent is not None:
            self._agent.close()
        self._agent = self._box = None

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        self._files.append((name, content, executable))
        await self._send(name, content, executable=executable)

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        stdout, stderr = self._directory / "stdout", self._directory / "stderr"
        with _reading(stdin) as source, _writing(stdout) as output, _writing(stderr) as errors:
            result = await self._run_steps(command, source, output, errors)
        taken = await self._take(take) if result.status is Status.OK else {}
        if result.box_lost:
            await self._replace()
        return Ran(report_of(result), FileBlob(stdout), FileBlob(stderr), taken)

    async def _run_steps(self, command: Command, stdin: int, stdout: int, stderr: int) -> RunResult:
        result: RunResult | None = None
        with translated():
            for number, argv in enumerate(command.steps):
                request = RunRequest(
                    argv=argv,
                    environment=(*DEFAULT_ENVIRONMENT, *command.environment),
                    limits=box_limits(command.limits),
                    keep_scratch=number > 0,
                    alone=command.alone,
                )
                outcome = await self._usable().run(request, stdin=stdin, stdout=stdout, stderr=stderr)
                result = outcome.result
                if result.status is not Status.OK:
                    break
        if result is None:
            raise ValueError("a command has at least one step")
        return result

    async def _take(self, names: tuple[str, ...]) -> dict[str, Blob]:
        taken: dict[str, Blob] = {}
        for name in names:
            path = self._directory / f"taken-{len(taken)}"
            with translated():
                try:
                    path.write_bytes(await self._usable().take(name))
                except BadRequest:
                    continue
            taken[name] = FileBlob(path)
        return taken

    async def _replace(self) -> None:
        """The program's memory took the box with it: the next run needs another, furnished alike."""
        self.close()
        await self.open()
        for name, content, executable in self._files:
            await self._send(name, content, executable=executable)

    async def _send(self, name: str, content: Blob | bytes, *, executable: bool) -> None:
        with translated():
            if isinstance(content, bytes):
                await self._usable().put(name, content, executable=executable)
                return
            with _reading(content) as source:
                await self._usable().put(name, source, executable=executable)

    def _usable(self) -> RemoteBox:
        if self._box is None:
            raise RuntimeError("the box is not open")
        return self._box


@contextmanager
def _reading(blob: Blob | None) -> Iterator[int]:
    path = os.devnull if blob is None else blob.path
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _writing(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
