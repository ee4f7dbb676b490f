"""One call for all who want the same thing at the same time."""

from __future__ import annotations

import asyncio

import pytest

from deepoj_kit.single_flight import SingleFlight


class Source:
    """Answers with the number of the call, when it is let."""

    def __init__(self) -> None:
        self.calls = 0
        self.open = asyncio.Event()
        self.error: Exception | None = None

    async def __call__(self) -> int:
        self.calls += 1
        number = self.calls
        await self.open.wait()
        if self.error is not None:
            raise self.error
        return number


@pytest.fixture
def source() -> Source:
    return Source()


@pytest.fixture
def flight() -> SingleFlight[str, int]:
    return SingleFlight()


async def test_all_who_ask_at_the_same_time_share_one_call(
    flight: SingleFlight[str, int], source: Source
) -> None:
    waiting = [asyncio.create_task(flight("a", source)) for _ in range(3)]
    other = asyncio.create_task(flight("b", source))
    await asyncio.sleep(0)
    source.open.set()
    assert await asyncio.gather(*waiting) == [1, 1, 1]
    assert await other == 2
    assert await flight("a", source) == 3


async def test_one_who_gives_up_does_not_take_the_answer_from_the_others(
    flight: SingleFlight[str, int], source: Source
) -> None:
    first, second = (asyncio.create_task(flight("a", source)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    source.open.set()
    assert await second == 1


async def test_an_error_reaches_all_who_wait_and_is_not_kept(
    flight: SingleFlight[str, int], source: Source
) -> None:
    source.open.set()
    source.error = RuntimeError("broken")
    said = await asyncio.gather(*(flight("a", source) for _ in range(2)), return_exceptions=True)
    assert said == [source.error] * 2
    source.error = None
    assert await flight("a", source) == 2


async def test_a_forgotten_call_knows_it_and_is_shared_with_nobody_else(
    flight: SingleFlight[str, int], source: Source
) -> None:
    forgotten: dict[int, bool] = {}

    async def call() -> int:
        number = await source()
        forgotten[number] = flight.is_forgotten("a")
        return number

    before = asyncio.create_task(flight("a", call))
    await asyncio.sleep(0)
    flight.forget("a")
    after = asyncio.create_task(flight("a", call))
    await asyncio.sleep(0)
    source.open.set()
    assert (await before, await after) == (1, 2)
    assert forgotten == {1: True, 2: False}
