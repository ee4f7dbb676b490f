from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from redis.asyncio import Redis

from apps.user.tests.deployment import PASSWORD, Deployment, Member
from deepoj_kit.grpc import connect
from deepoj_kit.settings import Secret
from deepoj_kit.testing.databases import own_database
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_proto.user.v1 import user_pb2
from deepoj_proto.user.v1.user_pb2_grpc import UserServiceStub

if TYPE_CHECKING:
    # Exists in the stubs only.
    from deepoj_proto.user.v1.user_pb2_grpc import UserServiceAsyncStub


PATIENCE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def deployment(servers: Servers, user_template: str) -> Iterator[Deployment]:
    with (
        own_database(servers, user_template) as postgres_url,
        scratch_directory() as home,
        ExitStack() as cleanup,
    ):
        settings = {
            "postgres_url": postgres_url,
            "redis_url": servers.redis_url,
            "env": f"test-{uuid4().hex}",
            "mail_outbox": f"{home}/mail",
            "first_admin_file": f"{home}/admin.json",
            "hash_memory": "64",
            "hash_passes": "1",
            "captcha_resend": "1ms",
            # However slow the machine is, no try comes back while a test counts them.
            "pair_pace": "1h",
        }
        yield Deployment(home, settings, ServiceStarter(home, cleanup))


@pytest.fixture(scope="module")
def serving(deployment: Deployment) -> Service:
    return deployment.start("deepoj_user", deployment.settings)


@pytest.fixture
async def user(serving: Service) -> AsyncIterator[UserServiceAsyncStub]:
    async with connect(serving.address, Secret(TOKEN), deadline=PATIENCE) as channel:
        yield UserServiceStub(channel)


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, protocol=2) as redis:
        yield redis


@pytest.fixture
async def member(user: UserServiceAsyncStub, deployment: Deployment) -> Member:
    """Somebody new who has logged in."""
    name = f"m{uuid4().hex[:20]}"
    address = f"{name}@example.org"
    await user.SendRegisterCaptcha(user_pb2.SendRegisterCaptchaRequest(email=address))
    await user.Register(
        user_pb2.RegisterRequest(
            account_id=str(uuid4()),
            name=name,
            email=address,
            password=PASSWORD,
            captcha=await deployment.code_to(address),
        )
    )
    answer = await user.Login(user_pb2.LoginRequest(login=name, password=PASSWORD))
    return Member(answer.account, address, answer.tokens)
