"""Ways to run one program once, each answering with the nanoseconds it took."""

import asyncio
import contextlib
import io
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from deepoj_sandbox.client import RemoteBox
from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import run
from deepoj_sandbox.host.stdin import safe_stdin
from deepoj_sandbox.request import RunRequest, SandboxLimits
from deepoj_sandbox.result import RunStatus

LIMITS = SandboxLimits(cpu_ms=10_000, wall_ms=60_000)


class Runner(Protocol):
    def __call__(self) -> int: ...


class Spawned:
    """A command run by the C yardstick."""

    def __init__(self, bare: Path, stdin: Path, *command: str) -> None:
        self._process = subprocess.Popen(
            [str(bare), str(stdin), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def __call__(self) -> int:
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the yardstick has no pipes")
        self._process.stdin.write(b"x")
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


class WarmBox:
    """A run in a box that is ready: order, run, output collected, counters read, box clean again."""

    def __init__(self, box: Box, program: Path, stdin: Path) -> None:
        self._box = box
        self._stdin = stdin
        self._request = RunRequest(argv=(f"/app/{program.name}",), limits=LIMITS)
        with opened(program) as source:
            files.put(box, program.name, source, executable=True)

    def __call__(self) -> int:
        with opened(self._stdin) as given:
            stdin = safe_stdin(given, LIMITS.input_bytes)
            output, errors = io.BytesIO(), io.BytesIO()
            start = time.perf_counter_ns()
            result = run(self._box, self._request, stdin, output, errors)
            taken = time.perf_counter_ns() - start
            os.close(stdin)
        if result.status is not RunStatus.OK:
            raise RuntimeError(result)
        return taken


class ThroughAgent:
    """The same through the agent's socket, as the judgement app sees it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, box: RemoteBox, program: Path, stdin: Path) -> None:
        self._loop = loop
        self._box = box
        self._stdin = os.open(stdin, os.O_RDONLY)
        self._request = RunRequest(argv=(f"/app/{program.name}",), limits=LIMITS)
        loop.run_until_complete(box.put(program.name, program.read_bytes(), executable=True))

    def __call__(self) -> int:
        return self._loop.run_until_complete(self._run())

    async def _run(self) -> int:
        start = time.perf_counter_ns()
        outcome = await self._box.run(self._request, stdin=self._stdin)
        taken = time.perf_counter_ns() - start
        if outcome.result.status is not RunStatus.OK:
            raise RuntimeError(outcome)
        return taken


@contextlib.contextmanager
def opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def bubblewrap(program: Path) -> tuple[str, ...]:
    """The command line of bubblewrap, if there is one: its own isolation, no limits, no accounting."""
    found = shutil.which("bwrap")
    if not found:
        return ()
    links = (
        "--symlink",
        "usr/lib",
        "/lib",
        "--symlink",
        "usr/lib64",
        "/lib64",
        "--symlink",
        "usr/bin",
        "/bin",
    )
    isolation = ("--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev")
    mounts = ("--ro-bind", "/usr", "/usr", "--ro-bind", str(program), "/app/main", "--tmpfs", "/tmp")  # noqa: S108 -- inside bwrap
    return (found, *mounts, *links, *isolation, "/app/main")


def isolate(program: Path) -> tuple[str, ...]:
    """The command line of isolate, if there is one, with its box made and filled beforehand."""
    found = shutil.which("isolate")
    if not found:
        return ()
    box = subprocess.run([found, "--init"], check=True, capture_output=True, text=True).stdout.strip()
    shutil.copy(program, Path(box) / "box" / program.name)
    return (found, "--silent", "--meta=/dev/null", "--run", "--", program.name)
