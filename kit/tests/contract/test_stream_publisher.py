from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_kit.clock import system_clock
from deepoj_kit.streams import FieldsCodec, MaxAge, MaxLength, connect
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.streams import entries
from deepoj_kit.unavailable import Unavailable
from kit.tests.publisher import Publisher


class Thing(msgspec.Struct, frozen=True):
    number: int


CODEC = FieldsCodec(Thing)
# Redis trims whole nodes of a hundred entries, so only many entries show it.
MANY = [Thing(number) for number in range(1000)]


async def test_entries_are_appended_in_order(redis: Redis, stream: str) -> None:
    ids = await Publisher(redis, stream, CODEC).publish([Thing(1), Thing(2)])
    assert await entries(redis, stream) == [(ids[0], {"number": "1"}), (ids[1], {"number": "2"})]


async def test_a_stream_keeps_about_its_length(redis: Redis, stream: str) -> None:
    await Publisher(redis, stream, CODEC, MaxLength(200)).publish(MANY)
    assert 200 <= await redis.xlen(stream) < 400


async def test_a_stream_forgets_what_is_too_old(redis: Redis, stream: str) -> None:
    day = MaxAge(timedelta(days=1))
    await Publisher(redis, stream, CODEC, day).publish(MANY)
    assert await redis.xlen(stream) == 1000
    tomorrow = Publisher(redis, stream, CODEC, day, clock=lambda: system_clock() + timedelta(days=2))
    await tomorrow.publish([Thing(1)])
    assert await redis.xlen(stream) < 200


async def test_without_a_server_publishing_is_unavailable(private_redis: PrivateServer) -> None:
    client = connect(private_redis.url)
    private_redis.stop()
    with pytest.raises(Unavailable):
        await Publisher(client, "things", CODEC).publish([Thing(1)])
    private_redis.start()
    assert len(await Publisher(client, "things", CODEC).publish([Thing(1)])) == 1
    await client.aclose()
