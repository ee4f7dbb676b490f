from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from deepoj_kit.postgres import Database
from deepoj_kit.testing.waiting import ManualClock
from deepoj_migrations import upgrade


@pytest.fixture(scope="session")
def user_template(make_template: Callable[[Callable[[str], None]], str]) -> str:
    """Migrate once; each test gets a copy."""
    return make_template(partial(upgrade, service="user"))


@pytest.fixture
def user_url(user_template: str, make_database: Callable[[str], str]) -> str:
    return make_database(user_template)


@pytest.fixture
async def database(user_url: str) -> AsyncIterator[Database]:
    async with Database(user_url) as database:
        yield database


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()
