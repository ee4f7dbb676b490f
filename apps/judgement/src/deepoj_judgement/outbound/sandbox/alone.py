"""A sandbox in which nothing else runs on this host: for what is measured, and for second opinions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace

from deepoj_judgement.commands.judge.sandbox_port import (
    Blob,
    Command,
    Company,
    JudgeBox,
    Ran,
    RunRef,
    Sandbox,
    Workspace,
)


@dataclass(frozen=True, slots=True)
class AloneSandbox:
    sandbox: Sandbox

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[Workspace]:
        async with self.sandbox.workspace(ref) as workspace:
            yield _Workspace(workspace)


@dataclass(frozen=True, slots=True)
class _Workspace:
    workspace: Workspace

    @asynccontextmanager
    async def box(self) -> AsyncIterator[JudgeBox]:
        async with self.workspace.box() as box:
            yield _Box(box)

    def company(self, members: int) -> AbstractAsyncContextManager[Company]:
        return self.workspace.company(members)

    async def file(self, name: str, content: bytes) -> Blob:
        return await self.workspace.file(name, content)


@dataclass(frozen=True, slots=True)
class _Box:
    inner: JudgeBox

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        await self.inner.put(name, content, executable=executable)

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        return await self.inner.run(replace(command, alone=True), stdin=stdin, take=take)
