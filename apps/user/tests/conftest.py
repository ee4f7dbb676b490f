from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial

import pytest

from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Outbox
from deepoj_kit.postgres import Database
from deepoj_kit.testing.conditions import ManualClock
from deepoj_migrations import upgrade
from deepoj_user.outbound.messages import Messages
from deepoj_user.outbound.postgres.store import PostgresStore
from deepoj_user.outbound.postgres.tables import OUTBOX


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


@pytest.fixture
def postgres_store(database: Database, clock: ManualClock) -> PostgresStore:
    """With nobody to send the events it writes."""
    new_id = Uuid7()
    outbox = Outbox(OUTBOX, clock=clock, new_id=new_id)
    return PostgresStore(database, Messages(outbox, "events"), lambda: None, clock, new_id)
