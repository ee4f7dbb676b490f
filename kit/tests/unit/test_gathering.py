"""What arrives together is sent together; nobody waits for more, nobody pays for another's mistake."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from deepoj_kit.gathering import Gathering
from deepoj_kit.postgres import ConstraintViolated, Unavailable
from deepoj_kit.testing.waiting import eventually


class Sink:
    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.open = asyncio.Event()
        self.open.set()

    async def __call__(self, items: Sequence[int]) -> list[int]:
        self.batches.append(list(items))
        await self.open.wait()
        if 13 in items:
            raise ConstraintViolated("unlucky")
        if 99 in items:
            raise Unavailable("away")
        return [item * 2 for item in items]


async def test_an_idle_one_sends_at_once() -> None:
    sink = Sink()
    assert await Gathering(sink)(4) == 8
    assert sink.batches == [[4]]


async def test_whoever_asks_again_as_soon_as_it_is_answered_is_answered_again() -> None:
    gathering = Gathering(Sink())
    async with asyncio.timeout(5):
        assert [await gathering(number) for number in (1, 2, 3)] == [2, 4, 6]


async def test_what_arrives_meanwhile_goes_in_the_next_batch_in_order() -> None:
    sink = Sink()
    gathering = Gathering(sink, most=3)
    sink.open.clear()
    calls = [asyncio.create_task(gathering(number)) for number in range(6)]
    await eventually(lambda: sink.batches != [])
    sink.open.set()
    assert await asyncio.gather(*calls) == [0, 2, 4, 6, 8, 10]
    assert [number for batch in sink.batches for number in batch] == list(range(6))
    assert max(len(batch) for batch in sink.batches) == 3


async def test_one_that_cannot_be_stored_fails_alone() -> None:
    gathering = Gathering(Sink(), one_by_one=(ConstraintViolated,))
    outcomes = await asyncio.gather(*(gathering(n) for n in (1, 13, 2)), return_exceptions=True)
    assert outcomes[0] == 2
    assert isinstance(outcomes[1], ConstraintViolated)
    assert outcomes[2] == 4


async def test_an_outage_is_told_to_all_and_the_next_batch_is_tried() -> None:
    gathering = Gathering(Sink(), one_by_one=(ConstraintViolated,))
    outcomes = await asyncio.gather(*(gathering(n) for n in (1, 99)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Unavailable, Unavailable]
    assert await gathering(3) == 6


async def test_a_caller_that_gives_up_does_not_disturb_the_others() -> None:
    sink = Sink()
    gathering = Gathering(sink)
    sink.open.clear()
    first, second = (asyncio.create_task(gathering(n)) for n in (1, 2))
    await eventually(lambda: sink.batches != [])
    first.cancel()
    sink.open.set()
    assert await second == 4
    with pytest.raises(asyncio.CancelledError):
        await first
