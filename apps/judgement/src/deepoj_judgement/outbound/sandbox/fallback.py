"""The agent while it answers, the one-shot command while it does not (INV-7)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.commands.judge.sandbox_port import Blob, Company, JudgeBox, RunRef, Sandbox, Workspace
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox

_log = logging.getLogger(__name__)
# More than its supervisor needs to notice that it is silent, and to start another.
_AGENT_SECONDS = 60.0
_LOOK_SECONDS = 0.2


class FallingBackSandbox:
    """Decided anew for every judgement, so that nobody has to switch back."""

    def __init__(self, agent: AgentSandbox, one_shot: Sandbox, on_fallback: Callable[[], None]) -> None:
        self._agent = agent
        self._one_shot = one_shot
        self._on_fallback = on_fallback

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[Workspace]:
        if await self._agent_answers():
            async with self._agent.workspace(ref) as workspace:
                yield workspace
        else:
            self._on_fallback()
            async with self._one_shot.workspace(ref) as workspace:
                yield _StandIn(workspace, self._agent, ref)

    async def _agent_answers(self) -> bool:
        try:
            await self._agent.status()
        except SandboxFailedError as error:
            _log.warning("the sandbox agent does not answer, falling back to the one-shot command: %s", error)
            return False
        return True


@dataclass(frozen=True, slots=True)
class _StandIn:
    """One-shot boxes. A talk of programs needs the agent, and waits until it is back."""

    one_shot: Workspace
    agent: AgentSandbox
    ref: RunRef

    def box(self) -> AbstractAsyncContextManager[JudgeBox]:
        return self.one_shot.box()

    async def file(self, name: str, content: bytes) -> Blob:
        return await self.one_shot.file(name, content)

    @asynccontextmanager
    async def company(self, members: int) -> AsyncIterator[Company]:
        await self._agent_is_back()
        async with self.agent.workspace(self.ref) as workspace, workspace.company(members) as company:
            yield company

    async def _agent_is_back(self) -> None:
        deadline = time.monotonic() + _AGENT_SECONDS
        while True:
            try:
                await self.agent.status()
            except SandboxFailedError:
                if time.monotonic() > deadline:
                    raise
                await asyncio.sleep(_LOOK_SECONDS)
            else:
                return
