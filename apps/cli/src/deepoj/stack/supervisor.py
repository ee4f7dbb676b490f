"""All processes of one stack: started stage by stage, stopped in the reverse order."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from deepoj.stack.child import Child
from deepoj.state import Phase, StackState, birth_of
from deepoj_kit.embedded.logs import bound
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec

LOG_LIMIT = 8 * 1024 * 1024
LOG_CHECK_INTERVAL = 5.0


class Supervisor:
    def __init__(self, logs: Path, url: str, publish: Callable[[StackState], None]) -> None:
        self.children: list[Child] = []
        self.phase = Phase.STARTING
        self.notices: tuple[str, ...] = ()
        self.s3_endpoint = ""
        self._logs = logs
        self._url = url
        self._pid = os.getpid()
        self._birth = birth_of(self._pid)
        self._publish = publish

    def describe(self) -> StackState:
        processes = tuple(each.describe() for each in self.children)
        return StackState(
            self._pid, self._birth, self.phase, self._url, processes, self.notices, self.s3_endpoint
        )

    def enter(self, phase: Phase) -> None:
        self.phase = phase
        self._publish(self.describe())

    def add(self, spec: ProcessSpec, stage: int, attempts: int = 1, nursery: Nursery | None = None) -> Child:
        """Take a process in; it may end `attempts` times before it was ever ready."""
        child = Child(spec, stage, self._logs / f"{spec.name}.log", attempts, nursery)
        child.on_change = lambda _: self._publish(self.describe())
        self.children.append(child)
        return child

    async def stop(self) -> None:
        self.enter(Phase.STOPPING)
        for stage in sorted({child.stage for child in self.children}, reverse=True):
            await asyncio.gather(*(child.stop() for child in self.children if child.stage == stage))

    def kill(self) -> None:
        for child in reversed(self.children):
            child.kill()

    async def bound_logs(self) -> None:
        """Keep each log below about twice the limit, for as long as the stack runs."""
        while True:
            for log in self._logs.glob("*.log"):
                with suppress(OSError):  # a full disk must not take the stack down
                    await asyncio.to_thread(bound, log, LOG_LIMIT)
            await asyncio.sleep(LOG_CHECK_INTERVAL)
