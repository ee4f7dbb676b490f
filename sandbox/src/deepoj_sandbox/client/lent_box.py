"""A box of the agent's whose keeper takes its orders from this process.

The agent makes, owns and destroys the box, and says when one run wants to be alone. What remains of a run is
between the keeper and whoever waits for the result; a process between them would only pass it on.
"""

import asyncio
import fcntl
import os
import socket
from collections.abc import Awaitable, Callable
from typing import Protocol

from deepoj_sandbox.box import wire
from deepoj_sandbox.cgroups.none import NoGroup
from deepoj_sandbox.client.output import Outcome, Output
from deepoj_sandbox.errors import SandboxError
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.host.drive import GRACE_SECONDS, LAZY_MS
from deepoj_sandbox.host.execution import Execution
from deepoj_sandbox.host.gate import OPEN
from deepoj_sandbox.host.streams import Collected, Stream
from deepoj_sandbox.request import BoxSpec, RunRequest

# Nobody tells when the gate is open again.
_LOOK_SECONDS = 0.005


class Core(Protocol):
    """What a program runs on. While it sleeps, others may have it."""

    def lend(self, memory_bytes: int) -> None:
        """Say that the program sleeps, and what memory it may hold meanwhile."""
        ...

    async def take_back(self) -> None:
        """Return when the program may go on. After `lend`, even if there was nobody to lend it to."""
        ...


class LentBox:
    def __init__(self, control: int, gate: int, kills: Callable[[], Awaitable[int]]) -> None:
        """`kills` asks how often the kernel killed in this box for its memory."""
        channel = socket.socket(fileno=control)
        self._box = Box(BoxSpec(), -1, channel, -1, NoGroup(), on_close=lambda _: None)
        # The agent may run programs in it without a word to us.
        self._box.dirty = True
        self._gate = gate
        self._kills = kills
        self._loop = asyncio.get_running_loop()
        self._listening = False
        self._watch: _Watch | None = None

    @property
    def closed(self) -> bool:
        return self._box.closed

    def enter(self) -> bool:
        """Take part in what runs together; False while somebody runs alone or waits for that."""
        if os.pread(self._gate, 1, 0) != OPEN:
            return False
        try:
            fcntl.flock(self._gate, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    async def enter_later(self) -> None:
        """Take part as soon as nobody is alone."""
        while not self.closed:
            if self.enter():
                return
            await asyncio.sleep(_LOOK_SECONDS)

    def leave(self) -> None:
        if not self.closed:
            fcntl.flock(self._gate, fcntl.LOCK_UN)

    async def run(self, request: RunRequest, stdin: int, core: Core | None = None) -> Outcome:
        """Run one program; between `enter` and `leave`. What goes wrong on our side ends the loan.

        `stdin` becomes the run's, which closes it.
        """
        try:
            return await self._run(request, stdin, core)
        except OSError as error:
            raise SandboxError("drive run", error.errno or 0) from error

    async def _run(self, request: RunRequest, stdin: int, core: Core | None) -> Outcome:
        output, errors = Collected(), Collected()
        execution = self._start(request, stdin, output, errors, rests=core is not None)
        rest = _Rest(self, request.limits.memory_bytes + request.limits.memory_slack_bytes, core)
        watch = self._watch = _Watch(self._loop, execution, rest)
        try:
            self._listen()
            failure = await watch.over
            await rest.end()
            if failure:
                self.close()
                execution.bury(failure, 0 if failure.code else await self._kills())
            result = execution.result()
        except BaseException as problem:
            output.close()
            errors.close()
            self.close()
            if isinstance(problem, Exception):
                await rest.end()
            raise
        finally:
            self._watch = None
            rest.cancel()
            watch.close()
            execution.close()
        return Outcome(result, Output(*output.taken()), Output(*errors.taken()))

    def _start(
        self, request: RunRequest, stdin: int, output: Collected, errors: Collected, *, rests: bool
    ) -> Execution:
        try:
            execution = Execution(self._box, request, stdin, output, errors, rests=rests)
            try:
                execution.start()
            except BaseException:
                execution.close()
                self.close()
                raise
        finally:
            os.close(stdin)
        return execution

    def _listen(self) -> None:
        # Kept from run to run: adding and removing it costs more than the report.
        if not self._listening:
            self._loop.add_reader(self._box.control.fileno(), self._hear)
            self._listening = True

    def _hear(self) -> None:
        if self._watch is None:
            self.suspend()  # a keeper that died between two runs: the next one finds out
        else:
            self._watch.hear()

    def suspend(self) -> None:
        """Leave the keeper's words to the agent, until the next run here."""
        if self._listening and not self._loop.is_closed():
            self._loop.remove_reader(self._box.control.fileno())
        self._listening = False

    def close(self) -> None:
        """End the loan. A second call does nothing."""
        if self.closed:
            return
        self.suspend()
        if self._watch:
            self._watch.give_up(SandboxError("watch keeper", 0, "the box was given back"))
        self._box.close()
        os.close(self._gate)


class _Rest:
    """The core of one run, and its place among those that run together: given away while it sleeps."""

    def __init__(self, box: LentBox, memory_bytes: int, core: Core | None) -> None:
        self._box = box
        self._memory_bytes = memory_bytes
        self._core = core
        self._back: asyncio.Task[None] | None = None
        self._begun = False

    def begin(self) -> None:
        if self._core and not self._begun:
            self._begun = True
            self._box.leave()
            self._core.lend(self._memory_bytes)

    def wake(self, then: Callable[[], None]) -> None:
        if self._begun and self._back is None:
            self._back = asyncio.create_task(self._take_back(then))

    async def _take_back(self, then: Callable[[], None]) -> None:
        await self._taken_back()
        await self._box.enter_later()
        self._back = None
        then()

    async def _taken_back(self) -> None:
        if self._begun and self._core:
            await self._core.take_back()
            self._begun = False

    async def end(self) -> None:
        """The run is over: whoever waits for it goes on with a core."""
        if self._back:
            await self._back
        await self._taken_back()

    def cancel(self) -> None:
        if self._back:
            self._back.cancel()


class _Watch:
    """Waits for one run's report. A short run needs nothing more; a longer one is drained meanwhile."""

    def __init__(self, loop: asyncio.AbstractEventLoop, execution: Execution, rest: _Rest) -> None:
        self.over: asyncio.Future[wire.Failure | None] = loop.create_future()
        self._loop = loop
        self._execution = execution
        self._rest = rest
        self._drained: list[Stream] = []
        self._timer = loop.call_later(LAZY_MS / 1000, self._attend)

    def hear(self) -> None:
        said = self._execution.hear()
        if said is wire.Word.ASLEEP:
            self._rest.begin()
        elif said is wire.Word.AWAKE:
            self._timer.cancel()
            self._rest.wake(self._go_on)
        elif isinstance(said, wire.Word):
            return  # an answer nobody asked for
        elif not self.over.done() and (said or self._execution.report):
            self.over.set_result(said)

    def _go_on(self) -> None:
        self._execution.go_on()
        self._be_patient()

    def _attend(self) -> None:
        for stream in self._execution.streams:
            self._loop.add_reader(stream.reader, self._drain, stream)
            self._drained.append(stream)
        self._be_patient()

    def _be_patient(self) -> None:
        patience = self._execution.wall_ms / 1000 + GRACE_SECONDS
        silence = SandboxError("watch keeper", 0, "no report in time")
        self._timer = self._loop.call_later(patience, self.give_up, silence)

    def _drain(self, stream: Stream) -> None:
        try:
            stream.drain_some()
        except OSError as error:
            self.give_up(error)
        if stream.exceeded:
            self._loop.remove_reader(stream.reader)
            self._drained.remove(stream)
            self._execution.stop()

    def give_up(self, reason: Exception) -> None:
        if not self.over.done():
            self.over.set_exception(reason)

    def close(self) -> None:
        self._timer.cancel()
        if not self._loop.is_closed():
            for stream in self._drained:
                self._loop.remove_reader(stream.reader)
        self._drained = []
