"""What a worker tells of a judgement under way."""

from __future__ import annotations

import asyncio
from typing import cast

import msgspec
from redis.asyncio import Redis

from deepoj_domain.judgement.progress import JudgeProgress
from deepoj_domain.judgement.result import CaseResult
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.streams import Streams
from deepoj_domain.testing import NOW
from deepoj_judgement.commands.judge.sandbox_port import RunRef
from deepoj_judgement.outbound.redis.progress import RedisProgress
from deepoj_kit.streams import connect

REF = RunRef("job", 3)


async def told(redis: Redis, env: str, number: int) -> list[JudgeProgress]:
    """Return the first so many, as soon as they are there."""
    after, found = "0-0", list[JudgeProgress]()
    while len(found) < number:
        reply = await redis.xread({Streams(env).progress: after}, block=10_000)
        for _, entries in cast("list[tuple[bytes, list[tuple[bytes, dict[bytes, bytes]]]]]", reply):
            for entry_id, fields in entries:
                after = entry_id.decode()
                found.append(msgspec.json.decode(fields[b"data"], type=JudgeProgress))
    return found


async def test_the_newest_results_are_told_and_between_two_tellings_there_is_a_pause(
    redis_url: str, key_prefix: str
) -> None:
    over = asyncio.Event()

    async def pause() -> None:
        await over.wait()

    async with connect(redis_url) as redis:
        tell, results = RedisProgress(redis, key_prefix, lambda: NOW, pause), list[CaseResult]()
        tell(REF, results, 4)
        (first,) = await told(redis, key_prefix, 1)
        assert (first.submission_id, first.attempt_id) == ("job", 3)
        assert (first.done, first.total, first.verdict, first.cases) == (0, 4, None, ())
        for name in ("1", "2", "3"):
            results.append(CaseResult.accepted(name))
            tell(REF, results, 4)
        over.set()
        *_, second = await told(redis, key_prefix, 2)
        assert (second.done, second.verdict) == (3, Verdict.ACCEPTED)
        assert [each.number for each in second.cases] == [1, 2, 3]


async def test_nothing_is_told_of_the_last_case_because_the_result_is_next(
    redis_url: str, key_prefix: str
) -> None:
    async with connect(redis_url) as redis:
        tell = RedisProgress(redis, key_prefix, lambda: NOW)
        tell(REF, [CaseResult.accepted("1")], 1)
        tell(RunRef("other", 1), [], 1)
        (only,) = await told(redis, key_prefix, 1)
        assert only.submission_id == "other"


async def test_without_redis_judging_goes_on_untold() -> None:
    async with connect("unix:///nowhere/redis.sock") as redis:
        tell = RedisProgress(redis, "test", lambda: NOW)
        tell(REF, [], 2)
        await asyncio.gather(*tell.senders)
