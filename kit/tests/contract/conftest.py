from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from opentelemetry import metrics
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from redis.asyncio import Redis
from sqlalchemy import MetaData

from deepoj_kit.postgres import Database
from deepoj_kit.streams import connect
from kit.tests.tables import definitions


@pytest.fixture(scope="session")
def metric_reader() -> InMemoryMetricReader:
    """Record metrics in this process; the provider can be set only once."""
    reader = InMemoryMetricReader()
    metrics.set_meter_provider(MeterProvider([reader], shutdown_on_exit=False))
    return reader


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    client = connect(redis_url)
    yield client
    await client.aclose()


@pytest.fixture
def stream(key_prefix: str) -> str:
    return f"{key_prefix}things"


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    async with Database(postgres_url) as opened:
        yield opened


@pytest.fixture
def create_tables(database: Database) -> Callable[[MetaData], Awaitable[None]]:
    async def create(metadata: MetaData) -> None:
        async with database.transaction() as connection:
            for statement in definitions(metadata):
                await connection.execute(statement)

    return create
