from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from uuid import uuid4

import pytest
from dependency_injector import providers

from apps.record.tests.fakes import (
    MemoryCatalogue,
    MemoryGames,
    MemoryLanguages,
    MemoryQuestions,
    MemorySamples,
    StoppedClock,
)
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.streams import Streams
from deepoj_domain.testing import QUESTION
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.outbox import Outbox, OutboxRow
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.servers import Servers
from deepoj_languages.table import language_table
from deepoj_migrations import upgrade
from deepoj_record.commands.ports import LanguageFacts, QuestionFacts
from deepoj_record.container import Container
from deepoj_record.outbound.postgres.outbox import Messages
from deepoj_record.outbound.postgres.submission_repository import PostgresSubmissions
from deepoj_record.outbound.postgres.tables import OUTBOX
from deepoj_record.settings import RecordSettings


@pytest.fixture(scope="session")
def record_template(make_template: Callable[[Callable[[str], None]], str]) -> str:
    """Migrate once; each test gets a copy."""
    return make_template(partial(upgrade, service="record"))


@pytest.fixture
def record_url(record_template: str, make_database: Callable[[str], str]) -> str:
    return make_database(record_template)


@pytest.fixture
async def database(record_url: str) -> AsyncIterator[Database]:
    async with Database(record_url) as database:
        yield database


@pytest.fixture
def clock() -> StoppedClock:
    return StoppedClock()


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:16]}"


@pytest.fixture
def outbox(clock: StoppedClock) -> Outbox:
    return Outbox(OUTBOX, clock=clock, new_id=Uuid7())


@pytest.fixture
def sent() -> list[OutboxRow]:
    """Rows handed over for sending after their commit."""
    return []


@pytest.fixture
def messages(outbox: Outbox, env: str) -> Messages:
    return Messages(outbox, Streams(env))


@pytest.fixture
def postgres_submissions(
    database: Database, messages: Messages, sent: list[OutboxRow]
) -> PostgresSubmissions:
    return PostgresSubmissions(database, messages, sent.extend)


@pytest.fixture
def catalogue() -> MemoryCatalogue:
    facts = QuestionFacts(revision=RevisionRef(QUESTION, 1), languages=frozenset(), source_bytes=None)
    return MemoryCatalogue({QUESTION: facts})


@pytest.fixture
def games() -> MemoryGames:
    return MemoryGames()


@pytest.fixture
def questions() -> MemoryQuestions:
    return MemoryQuestions()


@pytest.fixture
def samples() -> MemorySamples:
    return MemorySamples()


@pytest.fixture
async def container(  # noqa: PLR0913, PLR0917 — its neighbours are many
    record_url: str,
    redis_url: str,
    env: str,
    clock: StoppedClock,
    catalogue: MemoryCatalogue,
    games: MemoryGames,
    questions: MemoryQuestions,
    samples: MemorySamples,
    servers: Servers,
    bucket: str,
) -> AsyncIterator[Container]:
    """The relay's process put together as in production, but with the test's clock and neighbours."""
    settings = RecordSettings(
        listen="unix:/nobody",
        service_token=Secret("throw-away"),
        postgres_url=Secret(record_url),
        redis_url=Secret(redis_url),
        question_address="unix:/nobody",
        game_address="unix:/nobody",
        judgement_address="unix:/nobody",
        s3_endpoint=servers.s3.endpoint,
        s3_access_key=servers.s3.access_key,
        s3_secret_key=Secret(servers.s3.secret_key),
        s3_bucket=bucket,
        env=env,
    )
    made = Container(settings=settings, process=Process(), role="relay")
    made.clock.override(providers.Object(clock))
    made.catalogue.override(providers.Object(catalogue))
    made.games.override(providers.Object(games))
    made.question_rules.override(providers.Object(questions))
    made.samples.override(providers.Object(samples))
    known = {row.slug: LanguageFacts(lane=row.lane) for row in language_table()}
    made.languages.override(providers.Object(MemoryLanguages(known)))
    async with made.database(), made.redis():
        yield made
