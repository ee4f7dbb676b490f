"""The sandbox agent as a child of the worker: started with it, replaced when it dies or falls silent."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import shutil
import sys
from pathlib import Path

from deepoj_judgement.commands.judge.errors import SandboxFailedError
from deepoj_judgement.outbound.sandbox.agent import AgentSandbox
from deepoj_judgement.outbound.telemetry.observer import ISOLATION_DEGRADED
from deepoj_kit.backoff import Backoff
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess

_log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_READY_SECONDS = 30.0
_READY_STEP = 0.02
_STEADY_LOOKS = 20
_STOP_SECONDS = 2.0
# Two seconds each: an agent on a busy machine is late now and then, and replacing it ends what it runs.
_MOST_UNANSWERED = 5


class AgentProcess:
    """The kernel ends the agent with the worker, however the worker ends; boxes end with the agent."""

    def __init__(self, socket: Path, log: Path, boxes: int, options: tuple[str, ...]) -> None:
        argv = (sys.executable, "-m", "deepoj_sandbox", "agent", "--socket", str(socket))
        sizes = ("--boxes", str(boxes), "--ready", str(min(boxes, 4)))
        self._spec = ProcessSpec("sandbox", (*argv, *sizes, *options), ready=lambda: True)
        self._log_file = log
        self._agent = AgentSandbox(socket, socket.parent)
        self._process: RunningProcess | None = None
        self._unanswered = 0
        self.layers: tuple[str, ...] = ()
        self.degraded: tuple[str, ...] = ()

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start it and wait until it answers; when it does not, the fall-back serves meanwhile."""
        self._process, self._unanswered = RunningProcess(self._spec, self._log_file), 0
        deadline = asyncio.get_running_loop().time() + _READY_SECONDS
        while asyncio.get_running_loop().time() < deadline and self._process.exit_code() is None:
            try:
                status = await self._agent.status()
            except SandboxFailedError:
                await asyncio.sleep(_READY_STEP)
                continue
            self._learn(status.get("layers"))
            _log.info("the sandbox agent serves", extra={"pid": self._process.pid, "layers": self.layers})
            return
        reason = f"the sandbox agent does not start: {self._process.last_words()}"
        _log.error("%s", reason)
        self._keep((), (reason,))

    def _learn(self, layers: object) -> None:
        """Keep what the agent says of its isolation, also what is missing."""
        told = layers if isinstance(layers, dict) else {}
        active = [str(name) for name, value in told.items() if value is True]
        self._keep(
            (*active, f"cgroup-{told.get('cgroup', 'none')}"), tuple(map(str, told.get("degraded", ())))
        )
        for reason in self.degraded:
            _log.warning("isolation is degraded: %s", reason)

    def _keep(self, active: tuple[str, ...], degraded: tuple[str, ...]) -> None:
        self.degraded = degraded
        self.layers = (*active, *(f"degraded: {reason}" for reason in degraded))
        ISOLATION_DEGRADED.set(len(degraded))

    async def run(self, stop: asyncio.Event) -> None:
        failures, looks = 0, 0
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _LOOK_SECONDS)
                break
            if await self._lives():
                looks += 1
                failures = 0 if looks > _STEADY_LOOKS else failures
                continue
            failures, looks = failures + 1, 0
            _log.error("the sandbox agent is gone; starting it again", extra={"failures": failures})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), Backoff().delay(failures))
                break
            await self.start()
        if self._process is not None:
            await asyncio.to_thread(self._process.stop, _STOP_SECONDS)

    async def _lives(self) -> bool:
        """Ask it too: a process that is there may be frozen. One that stays silent is killed."""
        if self._process is None or self._process.exit_code() is not None:
            return False
        try:
            await self._agent.status()
        except SandboxFailedError as error:
            self._unanswered += 1
            _log.warning("the sandbox agent does not answer: %s", error)
        else:
            self._unanswered = 0
        if self._unanswered < _MOST_UNANSWERED:
            return True
        await asyncio.to_thread(self._process.kill)
        return False


def remove_dead(directory: Path) -> None:
    """Remove what killed workers left: directories named after processes that no longer exist.

    A second call does nothing.
    """
    for each in directory.glob("*"):
        if each.name.isdigit() and not Path("/proc", each.name).exists():
            shutil.rmtree(each, ignore_errors=True)
