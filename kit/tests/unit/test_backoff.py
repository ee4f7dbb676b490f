from __future__ import annotations

import asyncio

import pytest

from deepoj_kit.backoff import Backoff, run_until, wait_first
from deepoj_kit.testing.conditions import PATIENCE


def test_the_delay_doubles_up_to_the_cap() -> None:
    backoff = Backoff(first=0.5, cap=3.0)
    assert [backoff.delay(failures) for failures in (1, 2, 3, 4, 100_000)] == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_jitter_only_shortens_the_delay() -> None:
    backoff = Backoff(first=1.0, cap=1.0)
    assert all(0.75 <= backoff.jittered(1) <= 1.0 for _ in range(100))


async def test_the_first_event_ends_the_wait() -> None:
    first, second = asyncio.Event(), asyncio.Event()
    waiting = asyncio.create_task(wait_first(first, second))
    second.set()
    await asyncio.wait_for(waiting, PATIENCE)


async def test_the_time_ends_the_wait() -> None:
    await wait_first(asyncio.Event(), timeout=0.001)


async def test_stop_cuts_the_work() -> None:
    stop, begun = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        begun.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(run_until(stop, work()))
    await begun.wait()
    stop.set()
    await asyncio.wait_for(running, PATIENCE)


async def test_a_failure_of_the_work_is_raised() -> None:
    async def work() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await run_until(asyncio.Event(), work())
