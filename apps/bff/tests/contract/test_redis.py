"""What front doors share through Redis, and what they do without it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import datetime, timedelta

import pytest
from redis.asyncio import Redis

from apps.bff.tests.fakes import MemoryBuckets
from deepoj_bff.commands.admission_gate import Place, Swapped
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.inbound.stream.event_reader import EventReader, Fields
from deepoj_bff.inbound.stream.on_question_changed import OnQuestionChanged
from deepoj_bff.inbound.stream.on_submission import OnSubmissionChanged
from deepoj_bff.outbound.answer_cache import RedisSharedCache
from deepoj_bff.outbound.redis.token_buckets import RedisTokenBuckets
from deepoj_bff.outbound.system_load import RedisLiveWorkers
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_kit.clock import system_clock
from deepoj_kit.streams import connect
from deepoj_kit.testing.conditions import eventually, running
from deepoj_kit.testing.plugin import PrivateServer

PROBLEM = "019a2c1e-7b1d-7c3a-9f54-0d6f6f3c1a11"
CHANGED = f'{{"revision":{{"question_id":"{PROBLEM}","number":2}},"change":"revised"}}'
JUDGED = '{"submission":{"id":"s1","account_id":"ada","standing":"head"},"outcome":null}'
NOBODY = "redis://127.0.0.1:1/0"


def place(name: str, now: datetime, since: datetime | None = None, room: int = 100) -> Place:
    return Place(name, now, since or now, room, timedelta(minutes=1))


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with connect(redis_url) as redis:
        yield redis


@pytest.fixture(params=["memory", "redis", "no redis"])
async def buckets(
    request: pytest.FixtureRequest, redis_url: str, key_prefix: str
) -> AsyncIterator[MemoryBuckets | RedisTokenBuckets]:
    if request.param == "memory":
        yield MemoryBuckets()
        return
    async with connect(redis_url if request.param == "redis" else NOBODY) as redis:
        yield RedisTokenBuckets(redis, key_prefix)


async def test_a_bucket_is_what_was_stored_last(buckets: MemoryBuckets | RedisTokenBuckets) -> None:
    now = system_clock()
    first, second = TokenBucket(now + timedelta(hours=1)), TokenBucket(now + timedelta(hours=2))
    assert await buckets.get("submit:ada") is None
    assert (await buckets.swap("submit:ada", None, first, place("1", now))).done
    assert await buckets.get("submit:ada") == first
    assert (await buckets.swap("submit:ada", first, second, place("2", now))).done
    assert await buckets.get("submit:ada") == second
    assert await buckets.get("submit:bob") is None


async def test_of_two_who_take_at_once_one_has_to_look_again(redis: Redis, key_prefix: str) -> None:
    buckets = RedisTokenBuckets(redis, key_prefix)
    later = [TokenBucket(system_clock() + timedelta(hours=each)) for each in range(1, 11)]
    now = system_clock()
    taken = await asyncio.gather(
        *(buckets.swap("k", None, each, place(str(number), now)) for number, each in enumerate(later))
    )
    assert [each.done for each in taken].count(True) == 1


@pytest.mark.parametrize("buckets", ["memory", "redis"], indirect=True)
async def test_a_place_counts_until_it_was_left_before_the_question(
    buckets: MemoryBuckets | RedisTokenBuckets,
) -> None:
    now, key = system_clock(), "submit:ada"
    buckets_of = [TokenBucket(now + timedelta(hours=each)) for each in range(5)]

    async def take(name: str, step: int, since: datetime) -> Swapped:
        seen = None if step == 1 else buckets_of[step - 1]
        return await buckets.swap(key, seen, buckets_of[step], place(name, now, since, room=2))

    assert (await take("a", 1, now)).done
    assert (await take("b", 2, now)).done
    assert await take("c", 3, now) == Swapped(done=False, counted=2)
    # Whoever asked before it was left does not know of it, whoever asks later does.
    left = now + timedelta(microseconds=10)
    buckets.leave(key, "a", left)

    async def is_free() -> bool:
        return (await take("c", 3, left)).done

    await eventually(is_free)
    assert await take("d", 4, now) == Swapped(done=False, counted=3)
    # After its lease nobody waits for the place of one who is gone.
    assert (await take("d", 4, now + timedelta(minutes=2))).done


async def test_a_full_bucket_leaves_nothing_behind(redis: Redis, key_prefix: str) -> None:
    buckets = RedisTokenBuckets(redis, key_prefix)
    now = system_clock()
    assert (
        await buckets.swap("k", None, TokenBucket(now + timedelta(milliseconds=50)), place("1", now))
    ).done

    async def gone() -> bool:
        return await buckets.get("k") is None

    await eventually(gone)


async def test_workers_count_while_they_are_expected_to_live(redis: Redis, key_prefix: str) -> None:
    env = key_prefix.split(":")[1]
    now = system_clock().timestamp()
    await redis.zadd(f"deepoj:{env}:workers", {"a": now + 60, "b": now + 60, "dead": now - 1})
    assert await RedisLiveWorkers(redis, env, system_clock).count() == 2


async def test_the_shared_cache_keeps_for_a_while_and_its_absence_is_no_failure(
    redis: Redis, key_prefix: str
) -> None:
    shared = RedisSharedCache(redis, key_prefix)
    await shared.put("k", b"x", 60)
    assert await shared.get("k") == b"x"
    assert 0 < await redis.pttl(f"{key_prefix}k") <= 60_000
    async with connect(NOBODY) as away:
        absent = RedisSharedCache(away, key_prefix)
        await absent.put("k", b"x", 60)
        assert await absent.get("k") is None


def follower_of(
    redis: Redis, prefix: str, revisions: Revisions, feed: SubmissionFeed, forgotten: list[str]
) -> EventReader:
    submissions = OnSubmissionChanged(feed, forgotten.append)
    return EventReader(
        redis, {f"{prefix}question": OnQuestionChanged(revisions), f"{prefix}submission": submissions}
    )


async def add(redis: Redis, stream: str, data: str) -> str:
    fields: Mapping[bytes, bytes] = {b"type": b"any", b"data": data.encode()}
    return bytes(await redis.xadd(stream, dict(fields))).decode()  # type: ignore[arg-type]  # invariant in the stubs


async def test_problems_are_followed_from_the_first_event_and_submissions_from_now_on(
    redis: Redis, key_prefix: str
) -> None:
    revisions, feed, forgotten = Revisions(), SubmissionFeed(), list[str]()
    before = await add(redis, f"{key_prefix}question", CHANGED)
    await add(redis, f"{key_prefix}submission", JUDGED)
    with feed.watch("ada") as watch:
        async with running(follower_of(redis, key_prefix, revisions, feed, forgotten)):
            await eventually(lambda: revisions.following)
            assert (revisions.of(PROBLEM), forgotten) == (before, [])
            # Told to begin again: what happened while nobody followed may have been missed.
            assert (await watch.news(30), watch.reset) == ([], True)
            position = await add(redis, f"{key_prefix}submission", JUDGED)
            assert [(each.subject, each.position) for each in await watch.news(30)] == [("s1", position)]
            assert forgotten == ["s1"]


async def test_an_event_that_cannot_be_read_stops_nothing(redis: Redis, key_prefix: str) -> None:
    revisions, feed = Revisions(), SubmissionFeed()
    await add(redis, f"{key_prefix}question", "{")
    last = await add(redis, f"{key_prefix}question", CHANGED)
    async with running(follower_of(redis, key_prefix, revisions, feed, [])):
        await add(redis, f"{key_prefix}submission", '{"submission":{}}')
        await eventually(lambda: revisions.of(PROBLEM) == last)


async def test_after_an_outage_following_goes_on_and_says_so(private_redis: PrivateServer) -> None:
    revisions, feed = Revisions(), SubmissionFeed()
    async with connect(private_redis.url) as redis, running(follower_of(redis, "t:", revisions, feed, [])):
        await eventually(lambda: revisions.following)
        with feed.watch("ada") as watch:
            private_redis.kill()
            await eventually(lambda: not revisions.following)
            private_redis.start()
            await eventually(lambda: revisions.following)
            assert watch.reset
            await watch.news(0.01)
            async with connect(private_redis.url) as other:
                position = await add(other, "t:submission", JUDGED)
            assert [(each.subject, each.position) for each in await watch.news(30)] == [("s1", position)]


class Recorder:
    from_start = True

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_event(self, position: str, fields: Fields) -> None:
        self.seen.append(f"{position} {len(fields)}")

    def on_following(self, position: str) -> None:
        self.seen.append(f"following {position}")

    def on_lost(self) -> None:
        self.seen.append("lost")


async def test_what_is_there_is_read_before_anybody_is_told_that_it_is_all_there(
    redis: Redis, key_prefix: str
) -> None:
    recorder, stream = Recorder(), f"{key_prefix}any"
    last = ""
    for _ in range(1000):
        last = await add(redis, stream, CHANGED)
    async with running(EventReader(redis, {stream: recorder})):
        await eventually(lambda: f"following {last}" in recorder.seen)
    assert recorder.seen.index(f"following {last}") == 1000
