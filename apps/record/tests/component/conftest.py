from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

import grpc
import pytest
from redis.asyncio import Redis

from deepoj_domain.submission.routing import Band, Lane
from deepoj_domain.testing import QUESTION
from deepoj_kit.grpc import Kind, Server, connect, refuse
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_kit.testing.waiting import eventually
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub
from deepoj_record.outbound.redis.streams import Streams

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub


class Questions(QuestionServiceServicer):
    """The question service as far as record asks it."""

    async def Get(self, request: question_pb2.GetRequest, context: object) -> question_pb2.GetResponse:  # noqa: N802, ARG002 — gRPC's
        if request.question_id != str(QUESTION):
            refuse(Kind.NOT_FOUND, "not_found", "there is no such question")
        limits = question_pb2.Limits(source_bytes=32 * 1024)
        question = question_pb2.Question(
            id=request.question_id, revision=3, languages=["cpp17", "python3"], limits=limits
        )
        return question_pb2.GetResponse(question=question)


@pytest.fixture
async def question_address(private_home: Path) -> AsyncIterator[str]:
    server = Server(f"unix:{private_home}/question.sock", Secret(TOKEN), Readiness())
    servicer = Questions()  # type: ignore[abstract]  # only Get is asked
    add_QuestionServiceServicer_to_server(servicer, server.registry)
    async with server:
        yield server.address


@pytest.fixture
def settings(record_url: str, redis_url: str, question_address: str, env: str) -> dict[str, str]:
    return {
        "postgres_url": record_url,
        "redis_url": redis_url,
        "question_address": question_address,
        "env": env,
        "lease": "2s",
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
    async with connect(serving.address, Secret(TOKEN)) as channel:
        yield channel
