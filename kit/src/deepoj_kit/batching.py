"""Put together what arrives while a call is under way: a batch of one when idle, never a wait."""

from __future__ import annotations

import asyncio
import contextvars
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from opentelemetry.context import Context, get_current

from deepoj_kit.telemetry import on_behalf_of

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Asked(Generic[T, R]):
    item: T
    answer: asyncio.Future[R]
    trace: Context


class Batched(Generic[T, R]):
    """`send` takes a batch and answers for each item, in order. `lanes` batches may be under way at once.

    After an error in `one_by_one`, which blames a single item, the items are sent again each by itself. A
    single item is sent in its caller's trace, several in a trace that is none of theirs; nothing else of a
    caller's context (log fields, deadline) touches what is sent for others too.
    """

    def __init__(
        self,
        send: Callable[[Sequence[T]], Awaitable[Sequence[R]]],
        *,
        lanes: int = 1,
        most: int = 64,
        one_by_one: tuple[type[Exception], ...] = (),
    ) -> None:
        self._send = send
        self._one_by_one = one_by_one
        self._lanes = lanes
        self._most = most
        self._waiting: deque[_Asked[T, R]] = deque()
        self._running: set[asyncio.Task[None]] = set()

    async def __call__(self, item: T) -> R:
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(item, answer, get_current()))
        if len(self._running) < self._lanes:
            task = asyncio.create_task(self._work(), context=contextvars.Context())
            self._running.add(task)
        return await answer

    async def _work(self) -> None:
        try:
            await self._send_all()
        finally:
            # Here and not in a callback of the task: what arrives in between would wait for nobody.
            self._running.remove(cast("asyncio.Task[None]", asyncio.current_task()))

    async def _send_all(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), self._most))]
            try:
                await self._answer(batch)
            except self._one_by_one:
                # The others must not suffer for one of them.
                for single in batch:
                    await self._answer_alone(single)
            except Exception as error:  # noqa: BLE001 — handed to every caller of the batch
                _fail(batch, error)

    async def _answer(self, batch: Sequence[_Asked[T, R]]) -> None:
        with on_behalf_of([asked.trace for asked in batch]):
            answers = await self._send([asked.item for asked in batch])
        for asked, answer in zip(batch, answers, strict=True):
            # A caller that gave up waits no more; what it sent is done all the same.
            if not asked.answer.done():
                asked.answer.set_result(answer)

    async def _answer_alone(self, single: _Asked[T, R]) -> None:
        try:
            await self._answer([single])
        except Exception as error:  # noqa: BLE001 — handed to its caller
            _fail([single], error)


def _fail(batch: Sequence[_Asked[T, R]], error: Exception) -> None:
    for asked in batch:
        if not asked.answer.done():
            asked.answer.set_exception(error)
