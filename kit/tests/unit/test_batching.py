"""What arrives together is sent together; nobody waits for more, nobody pays for another's mistake."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from opentelemetry import trace

from deepoj_kit.batching import Batched
from deepoj_kit.postgres import ConstraintViolated, Unavailable
from deepoj_kit.telemetry import bind, bound, current_traceparent, parent_from
from deepoj_kit.testing.conditions import PATIENCE, eventually


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
    assert await Batched(sink)(4) == 8
    assert sink.batches == [[4]]


async def test_whoever_asks_again_as_soon_as_it_is_answered_is_answered_again() -> None:
    gathering = Batched(Sink())
    async with asyncio.timeout(PATIENCE):
        assert [await gathering(number) for number in (1, 2, 3)] == [2, 4, 6]


async def test_what_arrives_meanwhile_goes_in_the_next_batch_in_order() -> None:
    sink = Sink()
    gathering = Batched(sink, most=3)
    sink.open.clear()
    calls = [asyncio.create_task(gathering(number)) for number in range(6)]
    await eventually(lambda: sink.batches != [])
    sink.open.set()
    assert await asyncio.gather(*calls) == [0, 2, 4, 6, 8, 10]
    assert [number for batch in sink.batches for number in batch] == list(range(6))
    assert max(len(batch) for batch in sink.batches) == 3


async def test_one_that_cannot_be_stored_fails_alone() -> None:
    gathering = Batched(Sink(), one_by_one=(ConstraintViolated,))
    outcomes = await asyncio.gather(*(gathering(n) for n in (1, 13, 2)), return_exceptions=True)
    assert outcomes[0] == 2
    assert isinstance(outcomes[1], ConstraintViolated)
    assert outcomes[2] == 4


async def test_an_outage_is_told_to_all_and_the_next_batch_is_tried() -> None:
    gathering = Batched(Sink(), one_by_one=(ConstraintViolated,))
    outcomes = await asyncio.gather(*(gathering(n) for n in (1, 99)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Unavailable, Unavailable]
    assert await gathering(3) == 6


async def test_a_caller_that_gives_up_does_not_disturb_the_others() -> None:
    sink = Sink()
    gathering = Batched(sink)
    sink.open.clear()
    first, second = (asyncio.create_task(gathering(n)) for n in (1, 2))
    await eventually(lambda: sink.batches != [])
    first.cancel()
    sink.open.set()
    assert await second == 4
    with pytest.raises(asyncio.CancelledError):
        await first


class Traced:
    """Answers with the trace it is called in; waits while it is closed."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.batches: list[int] = []
        self.fields: list[dict[str, object]] = []

    async def __call__(self, items: Sequence[str]) -> list[str]:
        self.batches.append(len(items))
        self.fields.append(dict(bound()))
        await self.open.wait()
        if "unlucky" in items:
            raise ConstraintViolated("unlucky")
        return [current_traceparent()] * len(items)


def traceparent(number: int) -> str:
    return f"00-{number:032x}-{number:016x}-01"


async def ask(gathering: Batched[str, str], number: int, item: str = "") -> str:
    with trace.use_span(trace.get_current_span(parent_from(traceparent(number)))), bind(job=number):
        return await gathering(item)


async def test_a_single_item_is_sent_in_its_callers_trace_and_several_in_none_of_theirs() -> None:
    sink = Traced()
    gathering = Batched(sink)
    sink.open.clear()
    first = asyncio.create_task(ask(gathering, 1))
    await eventually(lambda: sink.batches == [1])
    rest = [asyncio.create_task(ask(gathering, number)) for number in (2, 3, 4)]
    sink.open.set()
    assert await first == traceparent(1)
    assert not {traceparent(number) for number in range(1, 5)} & set(await asyncio.gather(*rest))
    assert sink.batches == [1, 3]
    assert await ask(gathering, 5) == traceparent(5), "and the next one is alone again"


async def test_no_log_field_of_a_caller_reaches_what_is_sent_for_others() -> None:
    sink = Traced()
    gathering = Batched(sink)
    await asyncio.gather(*(ask(gathering, number) for number in (1, 2)))
    assert sink.fields == [{}]


async def test_after_a_failure_each_is_sent_again_in_its_own_trace() -> None:
    gathering = Batched(Traced(), one_by_one=(ConstraintViolated,))
    outcomes = await asyncio.gather(
        ask(gathering, 1), ask(gathering, 2, "unlucky"), ask(gathering, 3), return_exceptions=True
    )
    assert (outcomes[0], outcomes[2]) == (traceparent(1), traceparent(3))
