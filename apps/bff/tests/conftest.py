"""The front door in this process, with services that say what a test tells them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from dependency_injector import providers

from apps.bff.tests.fakes import MemoryBuckets, QuietSystem, Signer, ToldRecord, ToldServices
from deepoj_bff.container import Container
from deepoj_bff.settings import BffSettings
from deepoj_kit.settings import ByteSize, Secret

NOWHERE = "unix:/nobody"
Door = Callable[..., httpx.AsyncClient]


@pytest.fixture(scope="session")
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.generate())


@pytest.fixture(scope="session")
def told() -> ToldServices:
    return ToldServices()


@pytest.fixture
def services(told: ToldServices, signer: Signer) -> ToldServices:
    told.answers.clear()
    told.asked.clear()
    told.otherwise = None
    told.answers["user", "GetSigningKeys"] = signer.published()
    return told


@pytest.fixture(scope="session")
def containers() -> dict[tuple[str | None, int], Container]:
    """Keep what was made: building all routes takes longer than any test of them."""
    return {}


@pytest.fixture
def door(services: ToldServices, containers: dict[tuple[str | None, int], Container]) -> Door:
    """Give a function that makes a client of a front door with settings of the test's choice."""

    def make(public_url: str | None = None, body_limit: int = 10_000) -> httpx.AsyncClient:
        key = (public_url, body_limit)
        if key not in containers:
            containers[key] = _container(_settings(*key), services)
        # Both are ASGI, but each library has its own types for it.
        transport = httpx.ASGITransport(containers[key].asgi())  # type: ignore[arg-type]
        return httpx.AsyncClient(transport=transport, base_url=public_url or "http://oj.test")

    return make


def _container(settings: BffSettings, services: ToldServices) -> Container:
    """Leave out all that would belong to the event loop of the test that was first."""
    container = Container(settings=settings)
    container.services.override(providers.Object(services))
    container.channels.override(providers.Object({}))
    container.shared.override(providers.Object(None))
    container.submit_batches.override(providers.Object(ToldRecord(services)))
    container.token_buckets.override(providers.Object(MemoryBuckets()))
    container.system.override(providers.Object(QuietSystem()))
    return container


def _settings(public_url: str | None, body_limit: int) -> BffSettings:
    return BffSettings(
        service_token=Secret("x"),
        record_address=NOWHERE,
        judgement_address=NOWHERE,
        question_address=NOWHERE,
        game_address=NOWHERE,
        user_address=NOWHERE,
        redis_url=Secret("redis://127.0.0.1:1/0"),
        public_url=public_url,
        trusted_proxies=("127.0.0.0/8",),
        body_limit=ByteSize(body_limit),
        stream_heartbeat=timedelta(milliseconds=50),
    )


@pytest.fixture
async def client(door: Door) -> AsyncIterator[httpx.AsyncClient]:
    async with door() as client:
        yield client
