"""Calls travel together when several are ready, and never wait to fill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from deepoj_kit.batching import Batched


class Counterpart:
    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.open = asyncio.Event()

    async def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        await self.open.wait()
        if 13 in items:
            raise RuntimeError("unlucky")
        return [item * 2 for item in items]


async def test_one_goes_at_once_and_those_that_come_meanwhile_go_together() -> None:
    counterpart = Counterpart()
    call = Batched(counterpart)
    first = asyncio.create_task(call(1))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert counterpart.batches == [[1]]
    rest = [asyncio.create_task(call(number)) for number in (2, 3, 4)]
    counterpart.open.set()
    assert await asyncio.gather(first, *rest) == [2, 4, 6, 8]
    assert counterpart.batches == [[1], [2, 3, 4]]


async def test_a_failure_reaches_everybody_of_its_batch_and_nobody_else() -> None:
    counterpart = Counterpart()
    counterpart.open.set()
    call = Batched(counterpart)
    answers = await asyncio.gather(call(13), call(14), return_exceptions=True)
    assert all(isinstance(answer, RuntimeError) for answer in answers)
    assert await call(1) == 2


async def test_one_who_gave_up_does_not_disturb_the_others() -> None:
    counterpart = Counterpart()
    call = Batched(counterpart)
    given_up, patient = asyncio.create_task(call(1)), asyncio.create_task(call(2))
    await asyncio.sleep(0)
    given_up.cancel()
    counterpart.open.set()
    assert await patient == 4
    with pytest.raises(asyncio.CancelledError):
        await given_up
