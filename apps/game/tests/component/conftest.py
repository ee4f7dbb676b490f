from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import grpc
import pytest
from redis.asyncio import Redis

from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.game.v1.game_pb2_grpc import GameServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.game.v1.game_pb2_grpc import GameServiceAsyncStub


@pytest.fixture
def settings(game_url: str, redis_url: str, env: str) -> dict[str, str]:
    return {
        "postgres_url": game_url, "redis_url": redis_url, "record_address": "unix:/nobody", "env": env,
    }  # fmt: skip


@pytest.fixture
def serving(start_service: ServiceStarter, settings: dict[str, str]) -> Service:
    return start_service("deepoj_game", settings)


@pytest.fixture
async def channel(serving: Service) -> AsyncIterator[grpc.aio.Channel]:
    async with connect(serving.address, Secret(TOKEN)) as channel:
        yield channel


@pytest.fixture
def game(channel: grpc.aio.Channel) -> GameServiceAsyncStub:
    return GameServiceStub(channel)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis
