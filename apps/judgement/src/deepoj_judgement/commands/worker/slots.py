"""How many jobs this host judges at once, whoever asks: never more than it has cores to give."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from deepoj_judgement.commands.worker.core import Core, Dormitory

Result = TypeVar("Result")
PATIENCE_SECONDS = 20.0
# For so long jobs that have not begun go before one whose program slept.
BEHIND_SECONDS = 10.0


class HostBusyError(Exception):
    """More calls wait for a slot than this host lets wait, or one has waited for too long."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"submissions come first, and {waiting} calls wait for this host; try again later")


class Slots:
    """Jobs come first: they wait in the queue, where any host may take them, and for no call.

    A call has a slot while no job needs it. When one does, the youngest call is stopped, and begins again
    when there is room. A job whose program sleeps needs no slot.
    """

    def __init__(
        self,
        capacity: int,
        most_waiting: int = 0,
        patience: float = PATIENCE_SECONDS,
        *,
        dormitory: Dormitory | None = None,
    ) -> None:
        """`most_waiting` bounds the calls that wait, because they wait in the memory of this host."""
        self.capacity = capacity
        self._dormitory = dormitory or Dormitory(0, 0)
        self._cores: dict[str, Core] = {}
        self._given_back = 0
        self._returning: deque[asyncio.Future[None]] = deque()
        self._free = asyncio.Semaphore(capacity)
        self._held = 0
        self._jobs = 0
        self._calls: list[asyncio.Task[Any]] = []
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._most_waiting = most_waiting
        self._patience = patience

    @property
    def used(self) -> int:
        return self._held + len(self._calls)

    @property
    def left(self) -> int:
        return self.capacity - self._held

    def core_of(self, job_id: str) -> Core | None:
        return self._cores.get(job_id)

    async def acquire(self) -> None:
        """Get a slot for a job that is looked for."""
        await self._free.acquire()
        self._held += 1

    async def try_acquire(self) -> bool:
        if self._free.locked():
            return False
        await self.acquire()
        return True

    def release(self) -> None:
        if self._given_back:
            self._given_back -= 1
            return
        self._held -= 1
        self._free.release()
        self._next_returning()

    @contextmanager
    def job(self, job_id: str) -> Iterator[None]:
        """Make use of a slot: a job is there."""
        core = Core(self, self._dormitory)
        # The first message of a job is the one that is judged.
        is_first = self._cores.setdefault(job_id, core) is core
        self._begin()
        try:
            yield
        finally:
            if is_first:
                del self._cores[job_id]
            if core.give_up():
                # Ended in its sleep: what is released next was lent to others already.
                self._given_back += 1
            else:
                self._end()

    def lend(self) -> None:
        self._end()
        self.release()

    async def take_back(self) -> None:
        if self._free.locked():
            await self._nobody_looks()
        await self.acquire()
        self._begin()

    async def _nobody_looks(self) -> None:
        """Wait until a slot is free and nobody looks for a job to begin, but not for ever."""
        turn = asyncio.get_running_loop().create_future()
        self._returning.append(turn)
        try:
            await asyncio.wait({turn}, timeout=BEHIND_SECONDS)
        except asyncio.CancelledError:
            if turn.done():
                self._next_returning()
            raise
        finally:
            turn.cancel()

    def _next_returning(self) -> None:
        while self._returning and not self._free.locked():
            turn = self._returning.popleft()
            if not turn.done():
                turn.set_result(None)
                return

    def _begin(self) -> None:
        self._jobs += 1
        for call in self._calls[max(self.capacity - self._jobs, 0) :]:
            call.cancel()

    def _end(self) -> None:
        self._jobs -= 1
        self._next_call()

    async def call(
        self, work: Callable[[], Coroutine[Any, Any, Result]], *, patience: float | None = None
    ) -> Result:
        """Do what somebody waits for, from the start each time there is room; raise HostBusyError."""
        deadline = asyncio.get_running_loop().time() + (self._patience if patience is None else patience)
        if (self._full or self._waiting) and len(self._waiting) >= self._most_waiting:
            raise HostBusyError(len(self._waiting))
        await self._room(deadline, self._waiting.append)
        while (call := await self._attempt(work)).cancelled():
            # Whoever was stopped goes on before those who came later.
            await self._room(deadline, self._waiting.appendleft)
        return call.result()

    async def _attempt(self, work: Callable[[], Coroutine[Any, Any, Result]]) -> asyncio.Task[Result]:
        call = asyncio.create_task(work())
        self._calls.append(call)
        # Not below: whoever is cancelled twice does not come to the end of it, and would keep the slot.
        call.add_done_callback(self._end_call)
        try:
            await asyncio.wait({call})
        finally:
            call.cancel()
            await asyncio.wait({call})
        return call

    def _end_call(self, call: asyncio.Task[Any]) -> None:
        self._calls.remove(call)
        self._next_call()

    @property
    def _full(self) -> bool:
        return self._jobs + len(self._calls) >= self.capacity

    async def _room(self, deadline: float, line_up: Callable[[asyncio.Future[None]], None]) -> None:
        while self._full or self._waiting:
            turn = asyncio.get_running_loop().create_future()
            line_up(turn)
            try:
                async with asyncio.timeout_at(deadline):
                    await turn
            except BaseException as error:
                self._leave(turn)
                if isinstance(error, TimeoutError):
                    raise HostBusyError(len(self._waiting)) from None
                raise
            if not self._full:
                return
            line_up = self._waiting.appendleft

    def _leave(self, turn: asyncio.Future[None]) -> None:
        if turn in self._waiting:
            self._waiting.remove(turn)
        else:
            self._next_call()

    def _next_call(self) -> None:
        while self._waiting and not self._full:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
