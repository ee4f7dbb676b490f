from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from dependency_injector import providers
from psycopg import sql

from deepoj_game.container import Container
from deepoj_game.settings import GameSettings
from deepoj_kit.lifecycle import Process
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.waiting import ManualClock
from deepoj_migrations import upgrade


@pytest.fixture(scope="session")
def game_template(servers: Servers) -> Iterator[str]:
    """Migrate once; each test gets a copy. Record's schema is beside ours for the tests with both."""
    name = f"template_{uuid4().hex}"
    with psycopg.connect(servers.postgres_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = urlsplit(servers.postgres_url)._replace(path=f"/{name}").geturl()
        upgrade(url, "game")
        upgrade(url, "record")
        yield name
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def game_url(game_template: str, make_database: Callable[[str], str]) -> str:
    return make_database(game_template)


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:16]}"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
async def container(game_url: str, redis_url: str, env: str, clock: ManualClock) -> AsyncIterator[Container]:
    """The service put together as in production, but with a clock of the test."""
    settings = GameSettings(
        listen="unix:/nobody",
        service_token=Secret("throw-away"),
        postgres_url=Secret(game_url),
        redis_url=Secret(redis_url),
        record_address="unix:/nobody",
        env=env,
    )
    made = Container(settings=settings, process=Process())
    made.clock.override(providers.Object(clock))
    async with made.database(), made.redis():
        yield made


@pytest.fixture
def database(container: Container) -> Database:
    return container.database()
