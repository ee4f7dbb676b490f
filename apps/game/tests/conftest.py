from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest
from dependency_injector import providers

from deepoj_game.container import Container
from deepoj_game.settings import GameSettings
from deepoj_kit.lifecycle import Process
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_migrations import upgrade


@pytest.fixture(scope="session")
def game_template(make_template: Callable[[Callable[[str], None]], str]) -> str:
    """Migrate once; each test gets a copy. Record's schema is beside ours for the tests with both."""

    def migrate(url: str) -> None:
        upgrade(url, "game")
        upgrade(url, "record")

    return make_template(migrate)


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
        question_address="unix:/nobody",
        env=env,
    )
    made = Container(settings=settings, process=Process())
    made.clock.override(providers.Object(clock))
    async with made.database(), made.redis():
        yield made


@pytest.fixture
def database(container: Container) -> Database:
    return container.database()
