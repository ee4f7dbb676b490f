from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_kit.backoff import Backoff
from deepoj_kit.streams import (
    Consumer,
    ConsumerOptions,
    Delivery,
    Done,
    Dropped,
    EventCodec,
    Failed,
    FieldsCodec,
    Kept,
    Outcome,
    Poison,
    each,
)
from deepoj_kit.testing.conditions import eventually, running
from deepoj_kit.testing.streams import pending, settled, unread
from kit.tests.publisher import Publisher

GROUP = "workers"


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)
QUICK = ConsumerOptions(block=0.05, backoff=Backoff(first=0.001, cap=0.01), min_idle=60)


class Recorder:
    """A handler that remembers its calls and answers as told."""

    def __init__(self, answer: Callable[[Delivery[Thing]], Outcome] = lambda _: Done()) -> None:
        self.calls: list[list[Delivery[Thing]]] = []
        self._answer = answer

    async def __call__(self, batch: Sequence[Delivery[Thing]]) -> Sequence[Outcome]:
        self.calls.append(list(batch))
        return [self._answer(delivery) for delivery in batch]

    @property
    def numbers(self) -> list[int]:
        return [delivery.message.number for call in self.calls for delivery in call]


def consumer(
    redis: Redis,
    streams: str | Sequence[str],
    handler: Callable[[Sequence[Delivery[Thing]]], Awaitable[Sequence[Outcome]]],
    options: ConsumerOptions = QUICK,
    on_poison: Callable[[Poison], Awaitable[None]] | None = None,
) -> Consumer[Thing]:
    return Consumer(
        redis,
        group=GROUP,
        name="me",
        streams=[streams] if isinstance(streams, str) else streams,
        codec=CODEC,
        handler=handler,
        on_poison=on_poison,
        options=options,
    )


async def publish(redis: Redis, stream: str, *numbers: int) -> list[str]:
    return await Publisher(redis, stream, CODEC).publish([Thing(number) for number in numbers])


async def test_what_was_sent_before_the_group_existed_is_delivered(redis: Redis, stream: str) -> None:
    handler = Recorder()
    entries = await publish(redis, stream, 1, 2)
    async with running(consumer(redis, stream, handler)):
        await eventually(lambda: handler.numbers == [1, 2])
    delivery = handler.calls[0][0]
    assert (delivery.entry_id, delivery.message_id) == (entries[0], entries[0])
    assert (delivery.stream, delivery.count, delivery.reclaimed) == (stream, 1, False)


async def test_the_acknowledgement_follows_the_handler(redis: Redis, stream: str) -> None:
    begun, finish = asyncio.Event(), asyncio.Event()

    async def handle(_: Delivery[Thing]) -> Outcome:
        begun.set()
        await finish.wait()
        return Done()

    await publish(redis, stream, 1)
    async with running(consumer(redis, stream, each(handle))):
        await begun.wait()
        assert await pending(redis, stream, GROUP) == 1
        finish.set()
        await eventually(lambda: settled(redis, stream, GROUP))


async def test_only_what_is_done_or_refused_is_acknowledged(redis: Redis, stream: str) -> None:
    answers: dict[int, Outcome] = {
        1: Done(),
        2: Dropped("stale"),
        3: Kept("busy"),
        4: Failed("broken"),
        5: Done(),
    }
    handler = Recorder(lambda delivery: answers[delivery.message.number])
    entries = await publish(redis, stream, 1, 2, 3, 4, 5)
    async with running(consumer(redis, stream, handler)):
        await eventually(lambda: handler.numbers == [1, 2, 3, 4, 5])
    left = await redis.xpending_range(stream, GROUP, min="-", max="+", count=10)
    assert [row["message_id"] for row in left] == [entries[2].encode(), entries[3].encode()]


async def test_an_exception_leaves_its_entry_pending_and_the_others_alone(redis: Redis, stream: str) -> None:
    handled: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        if delivery.message.number == 1:
            raise OSError("disk")
        return Done()

    await publish(redis, stream, 1, 2)
    async with running(consumer(redis, stream, each(handle))):
        await eventually(lambda: handled == [1, 2])
    assert await pending(redis, stream, GROUP) == 1


async def test_an_exception_of_a_batch_handler_leaves_the_batch_pending(redis: Redis, stream: str) -> None:
    tried = asyncio.Event()

    async def handle(_: Sequence[Delivery[Thing]]) -> Sequence[Outcome]:
        tried.set()
        raise OSError("disk")

    await publish(redis, stream, 1, 2)
    async with running(consumer(redis, stream, handle)):
        await tried.wait()
    assert await pending(redis, stream, GROUP) == 2


async def test_a_system_failure_slows_the_reading_down(redis: Redis, stream: str) -> None:
    handler = Recorder(lambda _: Failed("broken"))
    await publish(redis, stream, 1, 2)
    options = ConsumerOptions(batch=1, block=0.05, backoff=Backoff(first=3600, cap=3600))
    async with running(consumer(redis, stream, handler, options)):
        await eventually(lambda: handler.numbers == [1])
    assert (await pending(redis, stream, GROUP), await unread(redis, stream, GROUP)) == (1, 1)


async def test_what_is_ready_comes_as_one_batch_and_a_single_entry_at_once(redis: Redis, stream: str) -> None:
    handler = Recorder()
    await publish(redis, stream, 1, 2, 3)
    async with running(consumer(redis, stream, handler)):
        await eventually(lambda: handler.numbers == [1, 2, 3])
        await publish(redis, stream, 4)
        await eventually(lambda: handler.numbers == [1, 2, 3, 4])
    assert [len(call) for call in handler.calls] == [3, 1]


async def test_it_takes_no_more_than_it_can_handle(redis: Redis, stream: str) -> None:
    finish = asyncio.Semaphore(0)
    handled: list[int] = []

    async def handle(delivery: Delivery[Thing]) -> Outcome:
        handled.append(delivery.message.number)
        await finish.acquire()
        return Done()

    await publish(redis, stream, 1, 2, 3, 4, 5)
    async with running(consumer(redis, stream, each(handle), ConsumerOptions(calls=2, batch=1, block=0.05))):
        await eventually(lambda: handled == [1, 2])
        assert (await pending(redis, stream, GROUP), await unread(redis, stream, GROUP)) == (2, 3)
        finish.release()
        await eventually(lambda: handled == [1, 2, 3])
        for _ in range(4):
            finish.release()
        await eventually(lambda: settled(redis, stream, GROUP))


async def test_streams_are_read_in_order_of_priority(redis: Redis, key_prefix: str) -> None:
    streams = [f"{key_prefix}{band}" for band in ("high", "middle", "low")]
    for place, name in enumerate(streams):
        await publish(redis, name, *(100 * place + number for number in range(3)))
    handler = Recorder()
    options = ConsumerOptions(batch=1, block=0.05, favour_every=0)
    async with running(consumer(redis, streams, handler, options)):
        await eventually(lambda: len(handler.numbers) == 9)
        await publish(redis, streams[2], 999)
        await eventually(lambda: handler.numbers[-1] == 999)
    assert handler.numbers[:9] == [0, 1, 2, 100, 101, 102, 200, 201, 202]


async def test_no_stream_starves_while_all_others_are_never_empty(redis: Redis, key_prefix: str) -> None:
    streams = [f"{key_prefix}{band}" for band in ("high", "middle", "low")]
    for place, name in enumerate(streams):
        await publish(redis, name, *(100 * place + number for number in range(20)))
    handler = Recorder()
    options = ConsumerOptions(batch=1, block=0.05, favour_every=5)
    async with running(consumer(redis, streams, handler, options)):
        await eventually(lambda: len(handler.numbers) >= 20)
    lower = [(place, number) for place, number in enumerate(handler.numbers[:20]) if number >= 100]
    assert lower == [(4, 200), (9, 100), (14, 201), (19, 101)]


async def test_poison_is_reported_and_acknowledged_and_does_not_block(redis: Redis, stream: str) -> None:
    await redis.xadd(stream, {"number": "many"})
    await redis.xadd(stream, {"other": "1"})
    await redis.xadd(stream, {b"number": b"\xff"})
    await publish(redis, stream, 4)
    handler = Recorder()
    buried: list[Poison] = []

    async def bury(poison: Poison) -> None:
        buried.append(poison)

    async with running(consumer(redis, stream, handler, on_poison=bury)):
        await eventually(lambda: handler.numbers == [4])
        await eventually(lambda: settled(redis, stream, GROUP))
    assert [poison.reason for poison in buried] == ["invalid_field", "missing_field", "invalid_field"]
    assert buried[1].fields == {b"other": b"1"}


async def test_poison_that_could_not_be_reported_stays_pending(redis: Redis, stream: str) -> None:
    await redis.xadd(stream, {"other": "1"})
    await publish(redis, stream, 2)
    handler = Recorder()

    async def bury(_: Poison) -> None:
        raise OSError("disk")

    async with running(consumer(redis, stream, handler, on_poison=bury)):
        await eventually(lambda: handler.numbers == [2])
    assert await pending(redis, stream, GROUP) == 1


async def test_an_event_for_others_is_acknowledged_unseen(redis: Redis, stream: str) -> None:
    events = EventCodec[Thing]({"thing.v1": Thing})
    await redis.xadd(stream, {"type": "other.v1", "data": "{}"})
    await Publisher(redis, stream, events).publish([Thing(2)])
    handler = Recorder()
    taking = Consumer(
        redis, group=GROUP, name="me", streams=[stream], codec=events, handler=handler, options=QUICK
    )
    async with running(taking):
        await eventually(lambda: handler.numbers == [2])
        await eventually(lambda: settled(redis, stream, GROUP))


async def has_group(redis: Redis, stream: str) -> bool:
    return bool(await redis.exists(stream))


@pytest.mark.parametrize("streams", [1, 2])
async def test_new_entries_reach_a_waiting_reader(redis: Redis, key_prefix: str, streams: int) -> None:
    names = [f"{key_prefix}{number}" for number in range(streams)]
    handler = Recorder()
    async with running(consumer(redis, names, handler, ConsumerOptions(block=3.0))):
        await eventually(lambda: has_group(redis, names[-1]))
        await publish(redis, names[-1], 1)
        await eventually(lambda: handler.numbers == [1])


async def test_names_of_consumers_that_died_long_ago_are_forgotten_unless_they_have_something(
    redis: Redis, key_prefix: str
) -> None:
    stream, other = f"{key_prefix}here", f"{key_prefix}not-there"
    await redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
    await redis.xgroup_createconsumer(stream, GROUP, "gone")
    await Publisher(redis, stream, CODEC).publish([Thing(1)])
    await redis.xreadgroup(GROUP, "owes", {stream: ">"})

    async def names() -> set[bytes]:
        return {each["name"] for each in await redis.xinfo_consumers(stream, GROUP)}

    kept = ConsumerOptions(block=0.05, min_idle=60)
    async with running(consumer(redis, [other, stream], Recorder(), kept)):
        await eventually(lambda: _reads(names))
    assert await names() == {b"gone", b"owes"}
    strict = ConsumerOptions(block=0.05, min_idle=60, forget_after=0)
    async with running(consumer(redis, [other, stream], Recorder(), strict)):
        await eventually(lambda: _reads(names))
    assert await names() == {b"owes"}


async def _reads(names: Callable[[], Awaitable[set[bytes]]]) -> bool:
    return len(await names() - {b"gone", b"owes"}) == 1
