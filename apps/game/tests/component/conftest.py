from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import grpc
import pytest
from redis.asyncio import Redis

from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.databases import own_database
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with scratch_directory() as path:
        yield path


@pytest.fixture(scope="module")
def start(home: Path) -> Iterator[ServiceStarter]:
    """Starting a process takes a second: the tests of a file share theirs, each with games of its own."""
    with ExitStack() as cleanup:
        yield ServiceStarter(home, cleanup)


@pytest.fixture(scope="module")
def shared_url(servers: Servers, game_template: str) -> Iterator[str]:
    with own_database(servers, game_template) as url:
        yield url


@pytest.fixture(scope="module")
def shared_env() -> str:
    return f"test-{uuid4().hex[:16]}"


@pytest.fixture(scope="module")
def record_address() -> str:
    """Nobody answers there; tests that need record give another."""
    return "unix:/nobody"


@pytest.fixture(scope="module")
def settings(shared_url: str, servers: Servers, shared_env: str, record_address: str) -> dict[str, str]:
    return {
        "postgres_url": shared_url,
        "redis_url": servers.redis_url,
        "record_address": record_address,
        "question_address": "unix:/nobody",
        "env": shared_env,
    }


@pytest.fixture(scope="module")
def serving(start: ServiceStarter, settings: dict[str, str]) -> Service:
    return start("deepoj_game", settings)


@pytest.fixture
async def channel(serving: Service) -> AsyncIterator[grpc.aio.Channel]:
    # Generous: a busy machine is no failure.
    async with connect(serving.address, Secret(TOKEN), deadline=timedelta(seconds=60)) as channel:
        yield channel


@pytest.fixture
def game(channel: grpc.aio.Channel) -> GameServiceAsyncStub:
    return GameServiceStub(channel)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis
