from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc
import pytest
from redis.asyncio import Redis

from apps.record.tests.neighbours import Neighbours
from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.grpc import BATCH_MESSAGE, connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub


@pytest.fixture
async def neighbours(private_home: Path) -> AsyncIterator[Neighbours]:
    made = Neighbours()
    async with made.serving(f"unix:{private_home}/neighbours.sock", Secret(TOKEN)):
        yield made


@pytest.fixture
def settings(
    record_url: str,
    redis_url: str,
    neighbours: Neighbours,  # noqa: ARG001 — they have to be there
    private_home: Path,
    env: str,
    servers: Servers,
    bucket: str,
) -> dict[str, str]:
    address = f"unix:{private_home}/neighbours.sock"
    return {
        "postgres_url": record_url,
        "redis_url": redis_url,
        "s3_endpoint": servers.s3.endpoint,
        "s3_access_key": servers.s3.access_key,
        "s3_secret_key": servers.s3.secret_key,
        "s3_bucket": bucket,
        "question_address": address,
        "game_address": address,
        "judgement_address": address,
        "languages_refresh": "100ms",
        "env": env,
        "lease": "60s",
        "heartbeat": "1s",
        "reclaim_grace": "0s",
        "patience": "500ms",
        "watchdog_interval": "100ms",
        "outbox_head_start": "500ms",
        "heavy_backoff": "0.2,0.4",
    }


@pytest.fixture
def serving(start_service: ServiceStarter, settings: dict[str, str]) -> Service:
    return start_service("deepoj_record", settings)


@pytest.fixture
def relaying(start_service: ServiceStarter, settings: dict[str, str]) -> Service:
    return start_service("deepoj_record", settings, role="relay")


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis


@pytest.fixture
def jobs(env: str) -> str:
    """Return the stream that the tests' submissions go to."""
    return Streams(env).jobs(Lane.HEAVY, Band.NORMAL)


@pytest.fixture
def queued(redis: Redis, jobs: str) -> Callable[[int], Awaitable[list[dict[str, str]]]]:
    """Give a function that waits for so many messages and returns them."""

    async def wait_for(count: int) -> list[dict[str, str]]:
        async def arrived() -> bool:
            return await redis.xlen(jobs) >= count

        await eventually(arrived)
        found = cast("list[tuple[bytes, dict[bytes, bytes]]]", await redis.xrange(jobs))
        return [{name.decode(): value.decode() for name, value in fields.items()} for _, fields in found]

    return wait_for


@pytest.fixture
def record(channel: grpc.aio.Channel) -> RecordServiceAsyncStub:
    return RecordServiceStub(channel)


@pytest.fixture
def worker(channel: grpc.aio.Channel) -> WorkerServiceAsyncStub:
    return WorkerServiceStub(channel)


@pytest.fixture
async def channel(serving: Service) -> AsyncIterator[grpc.aio.Channel]:
    deadline = timedelta(seconds=PATIENCE)
    async with connect(
        serving.address, Secret(TOKEN), deadline=deadline, max_message=BATCH_MESSAGE
    ) as channel:
        yield channel
