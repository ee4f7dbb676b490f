"""What workers announce: every judge host may write there, and none of them can hide the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from redis.asyncio import Redis

from deepoj_judgement.outbound.redis.presence import Presence
from deepoj_judgement.queries.list_workers import WorkerView
from deepoj_kit.clock import system_clock
from deepoj_kit.streams import connect

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HONEST = WorkerView(
    name="honest", version="1", started_at=NOW, seen_at=NOW, running=0, capacity=2,
    languages={"python3": "Python 3.11"},
)  # fmt: skip


def told(**lies: Any) -> bytes:  # noqa: ANN401 — whatever a liar says
    return msgspec.json.encode(msgspec.to_builtins(replace(HONEST, name="liar")) | lies)


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:12]}"


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as client:
        yield client


async def written(redis: Redis, env: str, name: bytes, text: bytes) -> None:
    key = f"deepoj:{env}:workers"
    await redis.set(f"{key}:".encode() + name, text)
    await redis.zadd(key, {name: "+inf"})


@pytest.mark.parametrize(
    "lie",
    [
        b"", b"nonsense", b"\xff", b"[]", b"{}", told()[:-1],
        told(name="honest"), told(name="liar\n"), told(name="\u202eliar"),
        told(running=-1), told(capacity=2**40), told(memory_mib=2**63), told(speed_percent="fast"),
        told(languages={"Not A Slug": "1"}), told(languages=["python3"]),
        told(seen_at="2026-01-01T00:00:00"), told(started_at="0001-01-01T00:00:00+23:59"),
        told(trouble="x" * 20_000),
    ],
)  # fmt: skip
async def test_who_announces_nonsense_is_passed_over_and_the_others_are_seen(
    redis: Redis, env: str, lie: bytes
) -> None:
    presence = Presence(redis, env, system_clock)
    await presence.announce(HONEST)
    await written(redis, env, b"liar", lie)
    assert await presence.workers() == [HONEST]


@pytest.mark.parametrize("name", [b"\xff\xfe", b"two words", b"", b"x" * 200])
async def test_a_name_that_is_none_hides_nobody(redis: Redis, env: str, name: bytes) -> None:
    presence = Presence(redis, env, system_clock)
    await presence.announce(HONEST)
    await written(redis, env, name, told(name=name.decode(errors="replace")))
    assert await presence.workers() == [HONEST]


async def test_a_name_that_nobody_announces_any_more_is_no_worker(redis: Redis, env: str) -> None:
    await redis.zadd(f"deepoj:{env}:workers", {f"ghost-{number}": "+inf" for number in range(3)})
    assert await Presence(redis, env, system_clock).workers() == []


async def test_a_worker_is_seen_whatever_its_trouble_and_wherever_its_clock_stands(
    redis: Redis, env: str
) -> None:
    presence = Presence(redis, env, system_clock)
    there = NOW.astimezone(timezone(timedelta(hours=8)))
    await presence.announce(replace(HONEST, trouble="x" * 100_000, started_at=there))
    [found] = await presence.workers()
    assert (found.started_at, found.trouble) == (NOW, "x" * 2000)
