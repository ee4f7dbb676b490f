"""Throw-away servers, a question service with one question, and record in this process or in its own."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from dependency_injector import providers

from deepoj_domain.testing import QUESTION
from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import RunningProcess
from deepoj_kit.embedded.redis import redis
from deepoj_kit.grpc import Server
from deepoj_kit.lifecycle import Process, Readiness
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_migrations import upgrade
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)
from deepoj_record.container import Container
from deepoj_record.settings import RecordSettings

PASSWORD = "throw-away"  # noqa: S105 — guards servers that live as long as the benchmark
FILL = """
INSERT INTO record.submissions (
    id, account_id, idempotency_key, request_hash, question_id, question_revision, language, code_sha256,
    source_bytes, lane, band, status, attempt_id, verdict, score_micros, result, submitted_at, updated_at,
    finished_at, origin_id, standing, message_due)
SELECT id, account, n::text, sha256('x'), question, 1, 'cpp17', sha256('x'), 1, 'heavy', 'normal', 'FINISHED',
    1, 'AC', 0, '{"verdict": "AC"}', at, at, at, id, 'head', at
FROM (
    SELECT n, gen_random_uuid() AS id, lpad(mod(n, 5000)::text, 32, '0')::uuid AS account,
        lpad(mod(n, 300)::text, 32, '0')::uuid AS question, now() - n * interval '1 second' AS at
    FROM generate_series(1, %s) AS n
) AS made
"""
BELONGINGS = """
INSERT INTO record.sources SELECT id, 'int main() {}' FROM record.submissions;
INSERT INTO record.attempts SELECT id, 1, 'bench', submitted_at FROM record.submissions;
"""
Call = tuple[bytes | str, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    home: Path
    postgres_url: str
    redis_url: str
    starter: ServiceStarter

    def fresh(self, name: str, rows: int = 0) -> str:
        """Make a database with record's schema and so many judged submissions; return its URL."""
        with psycopg.connect(self.postgres_url, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name}".encode())
        url = urlsplit(self.postgres_url)._replace(path=f"/{name}").geturl()
        upgrade(url, "record")
        if rows:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(FILL, (rows,))
                connection.execute(BELONGINGS)
                connection.execute("VACUUM ANALYZE")
        return url


@contextmanager
def stage() -> Iterator[Stage]:
    with ExitStack() as cleanup:
        home = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="deepoj-bench-")))
        run = home / "run"
        run.mkdir(mode=0o700)
        urls = []
        for make, name in ((postgres, "postgres"), (redis, "redis")):
            spec, url = make(home / name, run, PASSWORD)
            process = RunningProcess(spec, home / f"{name}.log")
            cleanup.callback(process.kill)
            process.wait_ready()
            urls.append(url)
        yield Stage(home, urls[0], urls[1], ServiceStarter(home, cleanup))


class Questions(QuestionServiceServicer):
    async def Get(self, request: question_pb2.GetRequest, context: object) -> question_pb2.GetResponse:  # noqa: N802, ARG002 — gRPC's
        return question_pb2.GetResponse(question=question_pb2.Question(id=str(QUESTION), revision=1))


@asynccontextmanager
async def served(stage: Stage, url: str) -> AsyncIterator[Service]:
    server = Server(f"unix:{stage.home}/question.sock", Secret(TOKEN), Readiness())
    add_QuestionServiceServicer_to_server(Questions(), server.registry)  # type: ignore[abstract]  # only Get
    async with server:
        settings = {
            "postgres_url": url,
            "redis_url": stage.redis_url,
            "question_address": server.address,
            "game_address": "unix:/nobody",
            "judgement_address": "unix:/nobody",
            "s3_endpoint": "http://127.0.0.1:1",
            "s3_bucket": "bench",
            "env": "bench",
            "log_level": "info",
        }
        yield stage.starter("deepoj_record", settings)


class Recorder:
    """A database that remembers every statement sent through it, with its parameters."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.calls: list[Call] = []

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[_Recording]:
        async with self._database.connection() as connection:
            yield _Recording(connection, self.calls)


class _Recording:
    """A connection or one of its cursors."""

    def __init__(self, executes: Any, calls: list[Call]) -> None:  # noqa: ANN401 — stands for psycopg's
        self._executes = executes
        self._calls = calls

    def cursor(self, row_factory: object) -> _Recording:
        return _Recording(self._executes.cursor(row_factory=row_factory), self._calls)

    async def execute(self, statement: bytes | str, parameters: Sequence[object]) -> Any:  # noqa: ANN401 — same
        self._calls.append((statement, parameters))
        return await self._executes.execute(statement, parameters)

    async def fetchall(self) -> Any:  # noqa: ANN401 — same
        return await self._executes.fetchall()


@asynccontextmanager
async def in_process(stage: Stage, url: str, catalogue: object) -> AsyncIterator[tuple[Container, Recorder]]:
    settings = RecordSettings(
        listen="unix:/nobody",
        service_token=Secret(TOKEN),
        postgres_url=Secret(url),
        redis_url=Secret(stage.redis_url),
        question_address="unix:/nobody",
        game_address="unix:/nobody",
        judgement_address="unix:/nobody",
        env="bench",
    )
    made = Container(settings=settings, process=Process(), role="relay")
    made.catalogue.override(providers.Object(catalogue))
    async with made.database() as database:
        recorder = Recorder(database)
        made.database.override(providers.Object(recorder))
        yield made, recorder
