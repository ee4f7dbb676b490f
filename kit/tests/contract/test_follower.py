"""A follower sees what comes after its start, in every process, through outages."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from deepoj_kit.backoff import Backoff
from deepoj_kit.streams import Follower, connect
from deepoj_kit.streams.commands import RawFields
from deepoj_kit.testing.conditions import PATIENCE, eventually, running
from deepoj_kit.testing.plugin import PrivateServer


class Seen:
    def __init__(self) -> None:
        self.numbers: list[bytes] = []

    def __call__(self, fields: RawFields) -> None:
        self.numbers.append(fields[b"number"])


async def follows(redis: Redis, stream: str, *seen: Seen) -> None:
    """A follower that has not started yet would pass over an entry."""

    async def reached() -> bool:
        await redis.xadd(stream, {"number": "start"})
        return all(each.numbers for each in seen)

    await eventually(reached)
    for each in seen:
        each.numbers.clear()


async def test_every_follower_sees_what_comes_after_its_start(redis: Redis, stream: str) -> None:
    await redis.xadd(stream, {"number": "0"})
    one, other = Seen(), Seen()
    async with running(Follower(redis, stream, one), Follower(redis, stream, other)):
        await follows(redis, stream, one, other)
        for number in ("1", "2"):
            await redis.xadd(stream, {"number": number})
        for seen in (one, other):
            await eventually(lambda seen=seen: seen.numbers[-2:] == [b"1", b"2"])
    assert b"0" not in one.numbers + other.numbers


async def test_a_stop_does_not_wait_for_the_next_entry(private_redis: PrivateServer) -> None:
    redis, seen, stop = connect(private_redis.url, command_timeout=7200), Seen(), asyncio.Event()
    following = asyncio.create_task(Follower(redis, "things", seen, block=3600).run(stop))
    await follows(redis, "things", seen)
    stop.set()
    done, _ = await asyncio.wait((following,), timeout=PATIENCE / 2)
    assert done
    await redis.aclose()


async def test_an_outage_is_survived(private_redis: PrivateServer) -> None:
    redis, seen = connect(private_redis.url), Seen()
    async with running(Follower(redis, "things", seen, backoff=Backoff(first=0.01, cap=0.05))):
        await follows(redis, "things", seen)
        await asyncio.to_thread(private_redis.stop)
        await asyncio.to_thread(private_redis.start)
        await redis.xadd("things", {"number": "after"})
        await eventually(lambda: b"after" in seen.numbers)
    await redis.aclose()
