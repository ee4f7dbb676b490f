"""The sandbox in the time of a reference host: limits are stretched going in, times shrunk coming out.

On a host as fast as the reference nothing is changed, and nothing is between a judgement and its box.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Final

from deepoj_judgement.commands.judge.sandbox_port import (
    Blob,
    Command,
    Company,
    JudgeBox,
    Ran,
    RunRef,
    Sandbox,
    Talkers,
    Workspace,
)

AS_REFERENCE: Final = 100


@dataclass(slots=True)
class Pace:
    """How long this host takes for what the reference does in 100, set when it has been measured."""

    percent: int = AS_REFERENCE

    def here(self, command: Command) -> Command:
        limits = command.limits
        stretched = replace(limits, cpu_ms=self._longer(limits.cpu_ms), wall_ms=self._longer(limits.wall_ms))
        return replace(command, limits=stretched)

    def there(self, ran: Ran) -> Ran:
        report = ran.report
        time_ms, wall_ms = self._shorter(report.time_ms), self._shorter(report.wall_ms)
        return replace(ran, report=replace(report, time_ms=time_ms, wall_ms=wall_ms))

    def _shorter(self, milliseconds: int) -> int:
        return milliseconds * AS_REFERENCE // self.percent

    def _longer(self, milliseconds: int) -> int:
        return -(-milliseconds * self.percent // AS_REFERENCE)


class InReferenceTime:
    def __init__(self, sandbox: Sandbox, pace: Pace) -> None:
        self._sandbox = sandbox
        self._pace = pace

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[Workspace]:
        async with self._sandbox.workspace(ref) as workspace:
            is_reference = self._pace.percent == AS_REFERENCE
            yield workspace if is_reference else _PacedWorkspace(workspace, self._pace)


@dataclass(frozen=True, slots=True)
class _PacedWorkspace:
    workspace: Workspace
    pace: Pace

    @asynccontextmanager
    async def box(self) -> AsyncIterator[JudgeBox]:
        async with self.workspace.box() as box:
            yield _PacedBox(box, self.pace)

    @asynccontextmanager
    async def company(self, members: int) -> AsyncIterator[Company]:
        async with self.workspace.company(members) as company:
            yield _PacedCompany(company, self.pace)

    async def file(self, name: str, content: bytes) -> Blob:
        return await self.workspace.file(name, content)


@dataclass(frozen=True, slots=True)
class _PacedBox:
    box: JudgeBox
    pace: Pace

    async def put(self, name: str, content: Blob | bytes, *, executable: bool = False) -> None:
        await self.box.put(name, content, executable=executable)

    async def run(self, command: Command, *, stdin: Blob | None = None, take: tuple[str, ...] = ()) -> Ran:
        return self.pace.there(await self.box.run(self.pace.here(command), stdin=stdin, take=take))


@dataclass(frozen=True, slots=True)
class _PacedCompany:
    company: Company
    pace: Pace

    @property
    def leader(self) -> JudgeBox:
        return _PacedBox(self.company.leader, self.pace)

    @property
    def members(self) -> Sequence[JudgeBox]:
        return [_PacedBox(member, self.pace) for member in self.company.members]

    async def run(self, talkers: Talkers, *, take: tuple[str, ...] = ()) -> tuple[Ran, list[Ran]]:
        here = self.pace.here
        paced = replace(talkers, leader=here(talkers.leader), members=tuple(map(here, talkers.members)))
        leader, members = await self.company.run(paced, take=take)
        return self.pace.there(leader), [self.pace.there(member) for member in members]
