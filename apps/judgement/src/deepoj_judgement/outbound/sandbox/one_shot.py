"""The one-shot command behind the same port (INV-7): a process and a fresh box for every run.

Slow, and one at a time on this host, but it needs nothing that has to be alive already. So every run is
alone by construction.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import fields
from pathlib import Path

from deepoj_judgement.commands.judge.errors import PolicyViolationError, SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, Company, Ran, RunRef
from deepoj_judgement.outbound.sandbox.files import FileBlob
from deepoj_judgement.outbound.sandbox.judge_json import ProtocolError, parse_judge_json
from deepoj_judgement.outbound.sandbox.translation import box_limits
from deepoj_sandbox.request import SandboxLimits

STDOUT_LIMIT = 256 * 1024
STDERR_LIMIT = 1024 * 1024
_REFUSED = 2
_START_SECONDS = 30


class OneShotSandbox:
    def __init__(
        self, work: Path, options: tuple[str, ...], on_protocol_error: Callable[[str], None]
    ) -> None:
        """`options` are those every call of the command gets: state, toolchains."""
        self._work = work
        self._options = options
        self._on_protocol_error = on_protocol_error
        self._turn = asyncio.Lock()

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[OneShotWorkspace]:
        with tempfile.TemporaryDirectory(dir=self._work, prefix="job-") as directory:
            yield OneShotWorkspace(self, ref, Path(directory))

    async def execute(self, arguments: list[str], seconds: float) -> bytes:
        """Run the command; return its one line."""
        argv = [sys.executable, "-m", "deepoj_sandbox", "run", *self._options, *arguments]
        async with self._turn:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(seconds + _START_SECONDS):
                    stdout, stderr = await asyncio.gather(
                        _drained(process.stdout, STDOUT_LIMIT), _drained(process.stderr, STDERR_LIMIT)
                    )
                    code = await process.wait()
            except TimeoutError:
                raise SandboxFailedError("the one-shot command does not end") from None
            finally:
                if process.returncode is None:
                    with contextlib.suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
        if code == _REFUSED:
            raise PolicyViolationError(f"the sandbox refuses: {stderr.decode(errors='replace')[:300]}")
        return stdout

    def broken_protocol(self, error: ProtocolError) -> SandboxFailedError:
        self._on_protocol_error(error.reason)
        return SandboxFailedError(f"judge protocol: {error}")


class OneShotWorkspace:
    def __init__(self, sandbox: OneShotSandbox, ref: RunRef, directory: Path) -> None:
        self._sandbox = sandbox
        self._ref = ref
        self._directory = directory
        self._boxes = 0

    @asynccontextmanager
    async def box(self) -> AsyncIterator[OneShotBox]:
        self._boxes += 1
        directory = self._directory / str(self._boxes)
        directory.mkdir()
        yield OneShotBox(self._sandbox, self._ref, directory)

    def company(self, members: int) -> AbstractAsyncContextManager[Company]:  # noqa: ARG002 — none will do
        """Fail, and be tried again: the agent comes back."""
        raise SandboxFailedError("the one-shot command runs one program; this judgement needs the agent")

    async def file(self, name: str, content: bytes) -> Blob:
        path = self._directory / name
        path.write_bytes(content)
        return FileBlob(path)


class OneShotBox:
    def __init__(self, sandbox: OneShotSandbox, ref: RunRef, directory: Path) -> None:
        self._sandbox = sandbox
        self._ref = ref
        self._directory = directory
        self._puts: list[str] = []

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        path = self._directory / f"put-{len(self._puts)}"
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            # A copy: the name of a blob is its owner's, and may hold what an option cannot.
            await asyncio.to_thread(shutil.copyfile, content.path, path)
        self._puts += ["--put-program" if executable else "--put", f"{name}={path}"]

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        if command.continued:
            raise SandboxFailedError("the one-shot command begins anew; this judgement needs the agent")
        stdout, stderr = self._directory / "stdout", self._directory / "stderr"
        taken = {name: self._directory / f"taken-{place}" for place, name in enumerate(take)}
        arguments = [
            *("--job-id", self._ref.job_id, "--attempt-id", str(self._ref.attempt_id)),
            *("--stdin", str(stdin.path) if stdin else os.devnull),
            *("--stdout", str(stdout), "--stderr", str(stderr)),
            *self._puts,
            *(word for name, path in taken.items() for word in ("--take", f"{name}={path}")),
            *_options(command),
        ]
        seconds = command.limits.wall_ms / 1000 * len(command.steps)
        line = await self._sandbox.execute(arguments, seconds)
        try:
            report = parse_judge_json(line, self._ref)
        except ProtocolError as error:
            raise self._sandbox.broken_protocol(error) from error
        found = {name: FileBlob(path) for name, path in taken.items() if path.exists()}
        return Ran(report, FileBlob(stdout), FileBlob(stderr), found)


def _options(command: Command) -> Iterator[str]:
    limits = box_limits(command.limits)
    for entry in fields(SandboxLimits):
        yield f"--{entry.name.replace('_', '-')}={getattr(limits, entry.name)}"
    for variable in command.environment:
        yield f"--env={variable}"
    *first, last = command.steps
    for argv in first:
        yield f"--first={json.dumps(argv)}"
    for text in command.arguments:
        yield f"--text={text}"
    yield "--"
    yield from last


async def _drained(stream: asyncio.StreamReader | None, limit: int) -> bytes:
    """Read to the end and keep no more than the limit: a full pipe would stop the other side."""
    kept = bytearray()
    while stream is not None and (chunk := await stream.read(64 * 1024)):
        kept += chunk[: limit - len(kept)]
    return bytes(kept)
