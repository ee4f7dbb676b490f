from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import MetaData

from deepoj_kit.ids import Uuid7
from deepoj_kit.outbox import Outbox, OutboxRow, outbox_table
from deepoj_kit.postgres import Database
from deepoj_kit.testing.servers import Servers
from deepoj_migrations import upgrade
from deepoj_record.outbound.postgres.ledger import PostgresLedger
from deepoj_record.outbound.postgres.messages import Messages
from deepoj_record.outbound.postgres.rejudges import PostgresRejudges
from deepoj_record.outbound.redis.streams import Streams


@pytest.fixture(scope="session")
def record_template(servers: Servers) -> Iterator[str]:
    """Migrate once; each test gets a copy."""
    name = f"template_{uuid4().hex}"
    with psycopg.connect(servers.postgres_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        upgrade(urlsplit(servers.postgres_url)._replace(path=f"/{name}").geturl(), "record")
        yield name
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
def record_url(record_template: str, make_database: Callable[[str], str]) -> str:
    return make_database(record_template)


@pytest.fixture
async def database(record_url: str) -> AsyncIterator[Database]:
    async with Database(record_url) as database:
        yield database


@dataclass
class Time:
    """A clock that stands still until it is told otherwise."""

    moment: datetime = field(default_factory=lambda: datetime(2026, 1, 1, 12, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.moment

    def pass_by(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:16]}"


@pytest.fixture
def outbox(time: Time) -> Outbox:
    return Outbox(outbox_table(MetaData(schema="record")), clock=time, new_id=Uuid7())


@pytest.fixture
def sent() -> list[OutboxRow]:
    """Rows handed over for sending after their commit."""
    return []


@pytest.fixture
def messages(outbox: Outbox, env: str) -> Messages:
    return Messages(outbox, Streams(env))


@pytest.fixture
def postgres_ledger(database: Database, messages: Messages, sent: list[OutboxRow]) -> PostgresLedger:
    return PostgresLedger(database, messages, sent.extend)


@pytest.fixture
def rejudges(database: Database, messages: Messages, sent: list[OutboxRow]) -> PostgresRejudges:
    return PostgresRejudges(database, messages, sent.extend)
