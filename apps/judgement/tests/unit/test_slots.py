"""Who gets a slot of a host: jobs before calls, and nobody in his sleep."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from typing import Any

import pytest

from deepoj_judgement.commands.worker import core as cores
from deepoj_judgement.commands.worker import slots as waiting
from deepoj_judgement.commands.worker.core import Core, Dormitory
from deepoj_judgement.commands.worker.slots import HostBusyError, Slots
from deepoj_kit.testing.conditions import PATIENCE, eventually


class Work:
    """Something that lasts until it is told to end, and counts how often it began."""

    def __init__(self) -> None:
        self.begun = 0
        self.runs = False
        self.end = asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        self.runs = True
        try:
            await self.end.wait()
        finally:
            self.runs = False
        return self.begun


def start(slots: Slots, work: Callable[[], Coroutine[Any, Any, int]]) -> asyncio.Task[int]:
    return asyncio.create_task(slots.call(work))


async def test_a_job_takes_the_slot_of_the_youngest_call_which_begins_again_afterwards() -> None:
    slots, works = Slots(2, 4), [Work(), Work()]
    calls = [start(slots, work) for work in works]
    await eventually(lambda: all(work.runs for work in works))
    with slots.job("job"):
        await eventually(lambda: not works[1].runs)
        assert works[0].runs
    await eventually(lambda: works[1].runs)
    for work in works:
        work.end.set()
    assert [await call for call in calls] == [1, 2]
    assert slots.used == 0


async def test_a_job_never_waits_for_calls() -> None:
    slots, works = Slots(1, 16), [Work() for _ in range(17)]
    calls = [start(slots, work) for work in works]
    await eventually(lambda: works[0].runs)
    async with asyncio.timeout(PATIENCE):
        await slots.acquire()
    with slots.job("job"):
        await eventually(lambda: not any(work.runs for work in works))
    slots.release()
    await eventually(lambda: works[0].runs)
    for call in calls:
        call.cancel()
    await asyncio.wait(calls)
    assert slots.used == 0


async def test_looking_for_a_job_stops_no_call() -> None:
    slots, work = Slots(1), Work()
    call = start(slots, work)
    await eventually(lambda: work.runs)
    assert await slots.try_acquire()
    slots.release()
    work.end.set()
    assert await call == 1


async def test_calls_get_free_slots_in_the_order_they_came() -> None:
    slots, works = Slots(1, 3), [Work() for _ in range(4)]
    calls = [start(slots, work) for work in works]
    for work in works:
        await eventually(lambda work=work: work.runs)
        assert sum(each.runs for each in works) == 1
        work.end.set()
    assert [await call for call in calls] == [1] * 4


async def test_too_many_calls_and_calls_that_wait_too_long_are_refused() -> None:
    slots, works = Slots(1, 1, patience=0.05), [Work() for _ in range(3)]
    calls = [start(slots, work) for work in works]
    for late in calls[1:]:
        with pytest.raises(HostBusyError):
            await late
    works[0].end.set()
    assert await calls[0] == 1


async def test_a_call_may_bring_a_patience_of_its_own() -> None:
    slots, works = Slots(1, 2, patience=0.0), [Work(), Work()]
    first = start(slots, works[0])
    await eventually(lambda: works[0].runs)
    second = asyncio.create_task(slots.call(works[1], patience=60.0))
    with pytest.raises(HostBusyError):
        await slots.call(Work())
    for work in works:
        work.end.set()
    assert [await first, await second] == [1, 1]


async def test_a_call_that_is_given_up_leaves_its_turn_to_the_next() -> None:
    slots, works = Slots(1, 2), [Work() for _ in range(2)]
    with ExitStack() as job:
        job.enter_context(slots.job("job"))
        calls = [start(slots, work) for work in works]
        await asyncio.sleep(0)
        calls[0].cancel()
    await eventually(lambda: works[1].runs)
    works[1].end.set()
    assert await calls[1] == 1


async def test_what_a_call_raises_is_raised() -> None:
    async def fail() -> int:
        raise ValueError("of its own")

    slots = Slots(1)
    with pytest.raises(ValueError, match="of its own"):
        await slots.call(fail)
    assert slots.used == 0


def roomy(capacity: int = 1) -> Slots:
    return Slots(capacity, 4, dormitory=Dormitory(2, 100))


def core_of(slots: Slots, job_id: str) -> Core:
    core = slots.core_of(job_id)
    assert core is not None
    return core


async def test_a_job_whose_program_sleeps_lends_its_slot_and_waits_to_have_it_back() -> None:
    slots = roomy()
    await slots.acquire()
    with slots.job("sleeper"):
        core = core_of(slots, "sleeper")
        core.lend(40)
        assert (slots.used, slots.left) == (0, 1)
        assert await slots.try_acquire()
        with slots.job("other"):
            back = asyncio.create_task(core.take_back())
            await asyncio.sleep(0)
            assert not await slots.try_acquire()
            assert not back.done()
        slots.release()
        await back
        assert slots.used == 1
    slots.release()
    assert slots.used == 0


async def test_a_job_that_ends_in_its_sleep_gives_its_slot_back_once() -> None:
    slots = roomy()
    for _ in range(3):
        await slots.acquire()
        with slots.job("sleeper"):
            core_of(slots, "sleeper").lend(100)
        slots.release()
        assert (slots.used, slots.left) == (0, 1)
    assert await slots.try_acquire()
    assert not await slots.try_acquire()


async def test_a_job_that_is_given_up_while_it_waits_for_its_slot_takes_none() -> None:
    slots = roomy()
    await slots.acquire()
    with slots.job("sleeper"):
        core = core_of(slots, "sleeper")
        core.lend(40)
        await slots.acquire()
        back = asyncio.create_task(core.take_back())
        await asyncio.sleep(0)
        back.cancel()
        await asyncio.wait({back})
    slots.release()
    slots.release()
    assert (slots.used, slots.left) == (0, 1)


@pytest.mark.parametrize(("places", "memory"), [(1, 1000), (9, 99)])
async def test_no_more_programs_sleep_than_there_are_places_and_memory_for(places: int, memory: int) -> None:
    slots = Slots(2, dormitory=Dormitory(places, memory))
    for _ in range(2):
        await slots.acquire()
    with slots.job("one"), slots.job("other"):
        core_of(slots, "one").lend(50)
        core_of(slots, "other").lend(50)
        assert slots.used == 1
        await core_of(slots, "other").take_back()
        await core_of(slots, "one").take_back()
        core_of(slots, "other").lend(50)
        assert slots.used == 1


async def test_a_job_that_has_waited_for_long_keeps_its_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "_LONGEST_SECONDS", 0.0)
    slots = roomy()
    await slots.acquire()
    with slots.job("sleeper"):
        core_of(slots, "sleeper").lend(40)
        assert slots.used == 1


async def test_a_call_has_the_slot_of_a_sleeper_until_it_wakes_up() -> None:
    slots, work = roomy(), Work()
    await slots.acquire()
    with slots.job("sleeper"):
        call = start(slots, work)
        core = core_of(slots, "sleeper")
        core.lend(40)
        await eventually(lambda: work.runs)
        await core.take_back()
        await eventually(lambda: not work.runs)
    slots.release()
    await eventually(lambda: work.runs)
    work.end.set()
    assert await call == 2


async def test_a_second_message_of_a_job_in_hand_leaves_its_core_alone() -> None:
    slots = roomy(2)
    with slots.job("job"):
        core = core_of(slots, "job")
        with slots.job("job"):
            assert slots.core_of("job") is core
        assert slots.core_of("job") is core
    assert slots.core_of("job") is None


async def test_a_job_that_is_looked_for_goes_before_one_that_slept() -> None:
    slots = roomy()
    await slots.acquire()
    with slots.job("sleeper"):
        core = core_of(slots, "sleeper")
        core.lend(40)
        await slots.acquire()
        back = asyncio.create_task(core.take_back())
        await asyncio.sleep(0)
        looking = asyncio.create_task(slots.acquire())
        await asyncio.sleep(0)
        slots.release()
        await looking
        assert not back.done()
        slots.release()
        await back
    slots.release()
    assert (slots.used, slots.left) == (0, 1)


async def test_a_job_that_slept_waits_for_others_to_begin_for_a_while_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(waiting, "BEHIND_SECONDS", 0.0)
    slots, began = roomy(), list[str]()

    async def begin(name: str) -> None:
        await slots.acquire()
        began.append(name)

    await slots.acquire()
    with slots.job("sleeper"):
        core = core_of(slots, "sleeper")
        core.lend(40)
        await slots.acquire()
        back = asyncio.create_task(core.take_back())
        await asyncio.sleep(0.01)
        late = asyncio.create_task(begin("late"))
        await asyncio.sleep(0)
        slots.release()
        await back
        assert began == []
        slots.release()
        await late
    slots.release()


async def test_a_call_that_is_cancelled_while_it_clears_up_keeps_no_slot() -> None:
    slots, clearing, may_end = Slots(1), asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            clearing.set()
            await may_end.wait()

    call = asyncio.create_task(slots.call(work))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for _ in range(2):
        call.cancel()
        await asyncio.wait({call}, timeout=0.01)
    assert clearing.is_set()
    assert slots.used == 1
    may_end.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert slots.used == 0
