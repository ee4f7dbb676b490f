from __future__ import annotations

import asyncio
from datetime import timedelta

from deepoj_kit.lifecycle import Process, Readiness, State


async def hang() -> None:
    await asyncio.Event().wait()


async def work() -> None:
    return


async def fail() -> None:
    raise ConnectionError("postgresql://me:hunter2@host")


async def test_all_failing_checks_are_named_without_their_message() -> None:
    readiness = Readiness()
    readiness.add_check("late", hang, timedelta(milliseconds=10))
    readiness.add_check("well", work)
    readiness.add_check("broken", fail)
    assert await readiness.failing() == {"late": "no answer within 0.01 s", "broken": "ConnectionError"}


async def test_listeners_hear_each_state() -> None:
    readiness = Readiness()
    heard: list[State] = []

    async def listen(state: State) -> None:
        heard.append(state)

    readiness.add_listener(listen)
    await readiness.move_to(State.READY)
    await readiness.move_to(State.DRAINING)
    assert heard == [State.READY, State.DRAINING]


async def test_a_failed_background_task_stops_the_process_and_is_not_raised_again() -> None:
    process = Process()
    process.background("idle", hang())
    process.background("broken", fail())
    await process.stopping.wait()
    await process.close()
    assert process.failure == "background task broken ended: ConnectionError: postgresql://me:hunter2@host"
