"""One question service for all component tests; each test has questions of its own in it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import uuid4

import grpc
import pytest
from minio import Minio
from redis.asyncio import Redis

from deepoj_kit.grpc import connect
from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.testing.databases import own_database
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceStub

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.question.v1.question_pb2_grpc import QuestionServiceAsyncStub


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    with scratch_directory() as home:
        yield home


@pytest.fixture(scope="session")
def settings(servers: Servers, question_template: str, home: Path) -> Iterator[dict[str, str]]:
    name = f"test-{uuid4().hex}"
    packages = home / "packages"
    packages.mkdir()
    s3 = servers.s3
    host = urlsplit(s3.endpoint).netloc
    Minio(host, access_key=s3.access_key, secret_key=s3.secret_key, secure=False).make_bucket(name)
    with own_database(servers, question_template) as url:
        yield {
            "postgres_url": url,
            "redis_url": servers.redis_url,
            "s3_endpoint": s3.endpoint,
            "s3_access_key": s3.access_key,
            "s3_secret_key": s3.secret_key,
            "s3_bucket": name,
            "game_address": f"unix:{home}/game.sock",
            "env": name,
            "object_bytes": "100KiB",
            "package_bytes": "1MiB",
            "package_files": "60",
            "package_directory": str(packages),
        }


@pytest.fixture(scope="session")
def starter(home: Path) -> Iterator[ServiceStarter]:
    with ExitStack() as cleanup:
        yield ServiceStarter(home, cleanup)


@pytest.fixture(scope="session")
def serving(starter: ServiceStarter, settings: dict[str, str]) -> Service:
    return starter("deepoj_question", settings)


@pytest.fixture
async def channel(serving: Service) -> AsyncIterator[grpc.aio.Channel]:
    async with connect(serving.address, Secret(TOKEN)) as channel:
        yield channel


@pytest.fixture
def question(channel: grpc.aio.Channel) -> QuestionServiceAsyncStub:
    return QuestionServiceStub(channel)


@pytest.fixture
async def redis(servers: Servers) -> AsyncIterator[Redis]:
    async with Redis.from_url(servers.redis_url, protocol=2) as redis:
        yield redis


@pytest.fixture
async def objects(settings: dict[str, str]) -> AsyncIterator[ObjectStore]:
    async with ObjectStore(
        settings["s3_endpoint"],
        settings["s3_access_key"],
        Secret(settings["s3_secret_key"]),
        settings["s3_bucket"],
    ) as store:
        yield store
