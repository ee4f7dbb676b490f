"""A worker is told which submissions are cancelled, whatever else somebody writes there."""

from __future__ import annotations

from uuid import uuid4

from deepoj_domain.streams import Streams
from deepoj_judgement.inbound.stream.jobs import cancellations
from deepoj_kit.streams import connect
from deepoj_kit.testing.conditions import eventually, running


async def test_what_names_no_job_is_passed_over_and_the_next_is_heard(
    redis_url: str, key_prefix: str
) -> None:
    first, second, told = str(uuid4()), str(uuid4()), list[str]()
    stream = Streams(key_prefix).cancellations
    async with connect(redis_url) as redis:

        async def is_heard() -> bool:
            await redis.xadd(stream, {"job_id": first})
            return first in told

        async with running(cancellations(redis, key_prefix, told.append)):
            await eventually(is_heard)
            await redis.xadd(stream, {"other": "1"})
            for text in (b"", b"1; DROP", b"\xff"):
                await redis.xadd(stream, {"job_id": text})
            await redis.xadd(stream, {"job_id": second, "message_id": "1"})
            await eventually(lambda: second in told)
    assert set(told) == {first, second}
