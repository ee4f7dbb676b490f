"""One supervised process: started, watched until it ends, and started again."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path

from deepoj.stack.backoff import BackOff
from deepoj.state import ProcessState, State, birth_of
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, ServerError

PROBE_WHILE_STARTING = 0.05
PROBE_WHILE_READY = 5.0


class Child:
    def __init__(
        self, spec: ProcessSpec, stage: int, log: Path, attempts: int, nursery: Nursery | None
    ) -> None:
        self.spec = spec
        self.stage = stage
        self.log = log
        self.state = State.WAITING
        self.restarts = 0
        self.reason = ""
        self.on_change: Callable[[Child], None] = lambda _: None
        self._attempts = attempts
        self._nursery = nursery
        self._process: RunningProcess | None = None
        self._task: asyncio.Task[None] | None = None
        self._since: float | None = None
        self._ready_since: float | None = None
        self._was_ready = asyncio.Event()
        self._back_off = BackOff()

    def describe(self) -> ProcessState:
        running = self._process is not None and self.state not in {State.BACK_OFF, State.STOPPED}
        pid = self._process.pid if self._process is not None and running else None
        birth = None if pid is None else birth_of(pid)
        since = self._since if running else None
        leftovers = tuple(str(path) for path in self.spec.leftovers)
        return ProcessState(
            self.spec.name, self.state, pid, birth, self.restarts, since, self.reason, leftovers
        )

    def start(self) -> None:
        self._task = asyncio.create_task(self._supervise(), name=self.spec.name)

    async def wait_ready(self, timeout: float) -> None:  # noqa: ASYNC109 — the error names the limit
        """Return when it was ready once; raise when it gave up or `timeout` seconds passed."""
        if self._task is None:
            raise RuntimeError(f"{self.spec.name} was not started")
        ready = asyncio.create_task(self._was_ready.wait())
        try:
            done, _ = await asyncio.wait({ready, self._task}, timeout=timeout, return_when="FIRST_COMPLETED")
        finally:
            ready.cancel()
        if self._task in done:
            self._task.result()
        if not done:
            said = "" if self._process is None else self._process.last_words()
            raise ServerError(
                f"{self.spec.name} was not ready after {timeout:.0f} s: {said} (full log: {self.log})"
            )

    async def stop(self) -> None:
        """End the process and its supervision; safe to call twice."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._process is not None and not self._process.reaped:
            self._become(State.STOPPING)
            self._process.ask_to_stop()
            patience = self.spec.stop_timeout
            try:
                async with asyncio.timeout(patience):
                    await end_of(self._process.pid)
            except TimeoutError:
                self.reason = f"killed: it did not stop within {patience:.0f} s"
            self._process.kill()
        self._become(State.STOPPED)

    def kill(self) -> None:
        if self._task is not None:
            self._task.cancel()  # or it would start the process again
        if self._process is not None:
            self._process.kill()

    async def _supervise(self) -> None:
        while True:
            # In the event loop's thread on purpose: the child ends with the thread that starts it.
            self._process = RunningProcess(self.spec, self.log, self._nursery)
            self._since, self._ready_since = time.time(), None
            self._become(State.STARTING)
            probes = asyncio.create_task(self._probe())
            try:
                await end_of(self._process.pid)
            finally:
                probes.cancel()
            delay = self._note_end(self._process)
            await asyncio.sleep(delay)
            self.restarts += 1

    async def _probe(self) -> None:
        while True:
            ready = await asyncio.to_thread(self.spec.ready)
            if ready and self.state is not State.READY:
                self._ready_since = time.monotonic()
                self._was_ready.set()
                self._become(State.READY)
            if not ready and self.state is State.READY:
                self._become(State.NOT_READY)
            await asyncio.sleep(PROBE_WHILE_READY if ready else PROBE_WHILE_STARTING)

    def _note_end(self, process: RunningProcess) -> float:
        process.kill()
        self.reason = f"{_exit_text(process.exit_code())}: {process.last_words()}"
        if not self._was_ready.is_set() and self.restarts + 1 >= self._attempts:
            self._become(State.STOPPED)
            raise ServerError(
                f"{self.spec.name} stopped while starting: {process.last_words()} (full log: {self.log})"
            )
        ready_for = 0.0 if self._ready_since is None else time.monotonic() - self._ready_since
        delay = self._back_off.after(ready_for)
        self._become(State.BACK_OFF)
        return delay

    def _become(self, state: State) -> None:
        self.state = state
        self.on_change(self)


async def end_of(pid: int) -> None:
    """Wait until a child ended, without reaping it: until then its id and its group stay its own."""
    loop = asyncio.get_running_loop()
    descriptor = os.pidfd_open(pid)
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)


def _exit_text(code: int | None) -> str:
    if code is None:
        return "ended"
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
