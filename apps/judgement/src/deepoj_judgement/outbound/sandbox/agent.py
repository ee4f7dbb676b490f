"""The sandbox's agent behind the port: warm boxes over a unix socket."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Self, TypeVar

from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import Blob, Command, Ran, RunRef, Talkers
from deepoj_judgement.outbound.sandbox.files import FileBlob
from deepoj_judgement.outbound.sandbox.translation import report_of, request_of, translated
from deepoj_sandbox.client import Agent, Core, Outcome, Output, RemoteBox, connect
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.request import RunRequest
from deepoj_sandbox.result import RunStatus

_log = logging.getLogger(__name__)
Result = TypeVar("Result")
_BOX_WAIT_MS = 30_000
_STATUS_SECONDS = 2.0


class AgentSandbox:
    def __init__(
        self, socket: Path, work: Path, core_of: Callable[[str], Core | None] = lambda _: None
    ) -> None:
        """`core_of` tells on which core a job runs, if others may have it meanwhile."""
        self._socket = socket
        self._work = work
        self._core_of = core_of

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[AgentWorkspace]:
        with tempfile.TemporaryDirectory(dir=self._work, prefix="job-") as directory:
            yield AgentWorkspace(self._socket, Path(directory), self._core_of(ref.job_id))

    async def status(self) -> Mapping[str, object]:
        """Say which layers are active; raise SandboxFailedError when nobody answers soon."""
        with translated():
            async with await connect(str(self._socket)) as agent:
                return await agent.status(seconds=_STATUS_SECONDS)


class AgentWorkspace:
    def __init__(self, socket: Path, directory: Path, core: Core | None) -> None:
        self._socket = socket
        self._directory = directory
        self._core = core
        self._boxes = 0

    @asynccontextmanager
    async def box(self) -> AsyncIterator[AgentBox]:
        async with _Line(self._socket) as line:
            box = AgentBox(line, self._new_directory(), self._core)
            await box.open()
            yield box

    @asynccontextmanager
    async def company(self, members: int) -> AsyncIterator[AgentCompany]:
        async with _Line(self._socket) as line:
            boxes = [AgentBox(line, self._new_directory(), None) for _ in range(1 + members)]
            company = AgentCompany(line, boxes)
            await company.open()
            yield company

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
        self._used = False

    async def __aenter__(self) -> Self:
        await self.renew()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hang_up()

    async def renew(self) -> None:
        self._hang_up()
        with translated():
            self._agent = await connect(str(self._socket))
        self._used = False

    async def in_sound_boxes(
        self, attempt: Callable[[], Awaitable[Result]], open_boxes: Callable[[], Awaitable[None]]
    ) -> Result:
        """Do something in the boxes of this line; used ones that fail are replaced, once.

        Whatever an earlier program did to a box costs the box, never a judgement.
        """
        try:
            result = await attempt()
        except SandboxFailedError as error:
            if not self._used:
                raise
            _log.warning("a used box failed, another takes its place: %s", error)
            await self.renew()
            await open_boxes()
            result = await attempt()
        self._used = True
        return result

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
    def __init__(self, line: _Line, directory: Path, core: Core | None) -> None:
        self._line = line
        self._directory = directory
        self._core = core
        self._files: list[tuple[str, Blob | bytes, bool]] = []
        self._box: RemoteBox | None = None

    async def open(self) -> None:
        """Get a box of the line."""
        with translated():
            await self.move(await self._line.agent.open_box(wait_ms=_BOX_WAIT_MS))

    async def move(self, box: RemoteBox) -> None:
        """Use this one, furnished as the one before."""
        self._box = box
        for name, content, executable in self._files:
            await self._send(name, content, executable=executable)

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        self._files.append((name, content, executable))
        await self._send(name, content, executable=executable)

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        async def attempt() -> tuple[Outcome, dict[str, Blob]]:
            with _reading(stdin) as source:
                outcome = await self._run_steps(command, source)
            return outcome, {} if outcome.result.box_lost else await self.take(take)

        # In another box there is nothing to continue with.
        sound = attempt() if command.continued else self._line.in_sound_boxes(attempt, self.open)
        outcome, taken = await sound
        if outcome.result.box_lost:
            # The program's memory took the box with it: the next run needs another.
            await self._line.renew()
            await self.open()
        return _ran(outcome, taken)

    async def _run_steps(self, command: Command, stdin: int) -> Outcome:
        done: list[Outcome] = []
        with translated():
            for number in range(len(command.steps)):
                request = request_of(command, number)
                done.append(await self.remote.run(request, stdin=stdin, core=self._core))
                if done[-1].result.status is not RunStatus.OK:
                    break
        return done[0] if len(done) == 1 else _joined(done)

    async def prepare(self, command: Command) -> RunRequest:
        """Run all steps but the last, and return that."""
        last = len(command.steps) - 1
        with _reading(None) as nothing:
            for number in range(last):
                done = await self.remote.run(request_of(command, number), stdin=nothing, core=self._core)
                if done.result.status is not RunStatus.OK:
                    raise SandboxFailedError(f"a box cannot be prepared: {command.steps[number][0]} fails")
        return request_of(command, last)

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


class AgentCompany:
    def __init__(self, line: _Line, boxes: list[AgentBox]) -> None:
        self._line = line
        self._boxes = boxes
        self.leader, *self.members = boxes

    async def open(self) -> None:
        """Get all boxes at once: of two that hold some and wait for more, neither might get them."""
        with translated():
            found = await self._line.agent.open_boxes(len(self._boxes), wait_ms=_BOX_WAIT_MS)
        for box, remote in zip(self._boxes, found, strict=True):
            await box.move(remote)

    async def run(self, talkers: Talkers, *, take: tuple[str, ...] = ()) -> tuple[Ran, list[Ran]]:
        commands = (talkers.leader, *talkers.members)

        async def attempt() -> tuple[list[Outcome], dict[str, Blob]]:
            outcomes = await self._talk(commands, talkers)
            return outcomes, {} if outcomes[0].result.box_lost else await self.leader.take(take)

        continued = any(command.continued for command in commands)
        outcomes, taken = await (attempt() if continued else self._line.in_sound_boxes(attempt, self.open))
        if any(outcome.result.box_lost for outcome in outcomes):
            await self._line.renew()
            await self.open()
        leader, *members = outcomes
        return _ran(leader, taken), [_ran(member, {}) for member in members]

    async def _talk(self, commands: Sequence[Command], talkers: Talkers) -> list[Outcome]:
        boxes = [box.remote for box in self._boxes]
        with translated(), _reading(talkers.stdin) as stdin:
            requests = [
                await box.prepare(command) for box, command in zip(self._boxes, commands, strict=True)
            ]
            given = None if talkers.stdin is None else stdin
            return await self._line.agent.run_talk(
                boxes, requests, stdin=given, members_by_name=talkers.by_name
            )


def _ran(outcome: Outcome, taken: dict[str, Blob]) -> Ran:
    return Ran(report_of(outcome.result), outcome.output, outcome.errors, taken)


def _joined(steps: list[Outcome]) -> Outcome:
    """What all steps wrote, and how the last one ended."""
    output = b"".join(step.stdout for step in steps)
    errors = b"".join(step.stderr for step in steps)
    return Outcome(steps[-1].result, Output(output), Output(errors))


@contextmanager
def _reading(blob: Blob | None) -> Iterator[int]:
    path = os.devnull if blob is None else blob.path
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
