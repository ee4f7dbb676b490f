from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from uuid import uuid4

import pytest
from sqlalchemy import MetaData

from deepoj_kit.ids import Uuid7
from deepoj_kit.objects import ObjectStore
from deepoj_kit.outbox import Outbox, OutboxRow, outbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import ManualClock
from deepoj_kit.testing.servers import Servers
from deepoj_migrations import upgrade
from deepoj_question.outbound.postgres.object_uses import PostgresObjectUses
from deepoj_question.outbound.postgres.question_reader import PostgresQuestionViews
from deepoj_question.outbound.postgres.question_repository import PostgresQuestions


@pytest.fixture(scope="session")
def question_template(make_template: Callable[[Callable[[str], None]], str]) -> str:
    """Migrate once; each test gets a copy."""
    return make_template(partial(upgrade, service="question"))


@pytest.fixture
def question_url(question_template: str, make_database: Callable[[str], str]) -> str:
    return make_database(question_template)


@pytest.fixture
async def database(question_url: str) -> AsyncIterator[Database]:
    async with Database(question_url) as database:
        yield database


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:16]}"


@pytest.fixture
def sent() -> list[OutboxRow]:
    """Rows handed over for sending after their commit."""
    return []


@pytest.fixture
def postgres_questions(database: Database, clock: ManualClock, sent: list[OutboxRow]) -> PostgresQuestions:
    outbox = Outbox(outbox_table(MetaData(schema="question")), clock=clock, new_id=Uuid7())

    async def publish(rows: Sequence[OutboxRow]) -> None:
        sent.extend(rows)

    return PostgresQuestions(database, outbox, "events", publish)


@pytest.fixture
def object_uses(database: Database) -> PostgresObjectUses:
    return PostgresObjectUses(database)


@pytest.fixture
def views(database: Database) -> PostgresQuestionViews:
    return PostgresQuestionViews(database)


@pytest.fixture
async def object_store(servers: Servers, bucket: str) -> AsyncIterator[ObjectStore]:
    access = servers.s3
    async with ObjectStore(access.endpoint, access.access_key, Secret(access.secret_key), bucket) as store:
        yield store
