from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from deepoj_kit.postgres import Database
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.waiting import ManualClock
from deepoj_migrations import upgrade


@pytest.fixture(scope="session")
def user_template(servers: Servers) -> Iterator[str]:
    """Migrate once; each test gets a copy."""
    name = f"template_{uuid4().hex}"
    with psycopg.connect(servers.postgres_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        upgrade(urlsplit(servers.postgres_url)._replace(path=f"/{name}").geturl(), "user")
        yield name
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


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
