"""The agent while it answers, the one-shot command while it does not (INV-7)."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from deepoj_judgement.commands.failing import SandboxFailedError
from deepoj_judgement.commands.running import RunRef, Sandbox, Workspace
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox

_log = logging.getLogger(__name__)


class FallingBackSandbox:
    """Decided anew for every judgement, so that nobody has to switch back."""

    def __init__(self, agent: AgentSandbox, one_shot: Sandbox, on_fallback: Callable[[], None]) -> None:
        self._agent = agent
        self._one_shot = one_shot
        self._on_fallback = on_fallback

    @asynccontextmanager
    async def workspace(self, ref: RunRef) -> AsyncIterator[Workspace]:
        async with (await self._choose()).workspace(ref) as workspace:
            yield workspace

    async def _choose(self) -> Sandbox:
        try:
            await self._agent.status()
        except SandboxFailedError as error:
            _log.warning("the sandbox agent does not answer, falling back to the one-shot command: %s", error)
            self._on_fallback()
            return self._one_shot
        return self._agent
