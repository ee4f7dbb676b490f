"""Calls that travel together when several are ready: a batch of one when idle, never waiting to fill."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

ItemT = TypeVar("ItemT")
AnswerT = TypeVar("AnswerT")
_MOST = 64


class Batcher(Generic[ItemT, AnswerT]):
    """While one call is under way the next batch gathers; each item gets its own answer."""

    def __init__(self, call: Callable[[Sequence[ItemT]], Awaitable[Sequence[AnswerT]]]) -> None:
        self._call = call
        self._waiting: list[tuple[ItemT, asyncio.Future[AnswerT]]] = []
        self._sending: asyncio.Task[None] | None = None

    async def __call__(self, item: ItemT) -> AnswerT:
        answer: asyncio.Future[AnswerT] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, answer))
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())
        return await answer

    async def _send(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                await self._answer(batch)
        finally:
            self._sending = None

    async def _answer(self, batch: list[tuple[ItemT, asyncio.Future[AnswerT]]]) -> None:
        try:
            answers = await self._call([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001 — whoever waits gets it, whatever it is
            for _, waiting in batch:
                if not waiting.done():
                    waiting.set_exception(error)
            return
        for (_, waiting), answer in zip(batch, answers, strict=True):
            # One who was cancelled no longer waits.
            if not waiting.done():
                waiting.set_result(answer)
