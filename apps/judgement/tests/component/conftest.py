"""The judging pipeline as processes: record, a worker, and a question service that knows what it is told."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import grpc
import psycopg
import pytest
from psycopg import sql
from redis.asyncio import Redis

from deepoj_kit.clock import system_clock
from deepoj_kit.embedded.ports import free_ports
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
from deepoj_kit.grpc import Kind, RemoteError, Server, connect, refuse
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.streams import connect as connect_redis
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, http_get
from deepoj_kit.testing.streams import entries
from deepoj_kit.testing.waiting import eventually
from deepoj_migrations import upgrade
from deepoj_proto.common.v1 import common_pb2, judging_pb2
from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceStub
from deepoj_proto.question.v1 import question_pb2
from deepoj_proto.question.v1.question_pb2_grpc import (
    QuestionServiceServicer,
    add_QuestionServiceServicer_to_server,
)
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.judgement.v1.judgement_pb2_grpc import JudgementServiceAsyncStub
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

TOKENS = question_pb2.Checker(builtin=question_pb2.BuiltinChecker(mode=question_pb2.BUILTIN_MODE_TOKENS))
TERMINAL = {record_pb2.STATUS_FINISHED, record_pb2.STATUS_DEAD, record_pb2.STATUS_CANCELLED}
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"


class Questions(QuestionServiceServicer):
    """Serves what a test has put into it; question itself is another service."""

    def __init__(self, objects: ObjectStore) -> None:
        self._objects = objects
        self._specs: dict[str, question_pb2.GetJudgeSpecResponse] = {}
        self.asked = 0

    async def add(
        self,
        cases: Mapping[str, str] | None = None,
        *,
        checker: question_pb2.Checker = TOKENS,
        cpu_ms: int = 2000,
        memory_mib: int = 256,
        languages: tuple[str, ...] = (),
        stop: bool = True,
    ) -> str:
        question_id = str(uuid4())
        spec = question_pb2.JudgeSpec(checker=checker, stop_at_first_failure=stop)
        for number, (given, answer) in enumerate(
            (cases or {"1 2\n": "3\n", "5 6\n": "11\n"}).items(), start=1
        ):
            spec.cases.append(
                question_pb2.Case(
                    name=str(number), input=await self._object(given), answer=await self._object(answer)
                )
            )
        limits = question_pb2.Limits(memory_bytes=memory_mib << 20, output_bytes=1 << 20)
        limits.time.FromMilliseconds(cpu_ms)
        self._specs[question_id] = question_pb2.GetJudgeSpecResponse(
            spec=spec, limits=limits, languages=languages
        )
        return question_id

    async def lose_data(self, question_id: str) -> None:
        for case in self._specs[question_id].spec.cases:
            await self._objects.delete(f"data/{case.input.sha256}")

    async def _object(self, text: str) -> question_pb2.ObjectRef:
        key = await self._objects.put_content(text.encode(), prefix="data/")
        return question_pb2.ObjectRef(sha256=key.removeprefix("data/"), size=len(text))

    async def GetJudgeSpec(  # noqa: N802 — gRPC's name
        self,
        request: question_pb2.GetJudgeSpecRequest,
        context: object,  # noqa: ARG002
    ) -> question_pb2.GetJudgeSpecResponse:
        self.asked += 1
        if request.question_id not in self._specs or request.revision != 1:
            refuse(Kind.NOT_FOUND, "not_found", "no such revision")
        return self._specs[request.question_id]

    async def Get(  # noqa: N802 — gRPC's name
        self,
        request: question_pb2.GetRequest,
        context: object,  # noqa: ARG002
    ) -> question_pb2.GetResponse:
        if request.question_id not in self._specs:
            refuse(Kind.NOT_FOUND, "not_found", "no such question")
        question = question_pb2.Question(id=request.question_id, enabled=True, revision=1)
        return question_pb2.GetResponse(question=question)


@dataclass
class Pipeline:
    """One environment: its stores, its services, and calls on them."""

    home: Path
    environ: dict[str, str]
    env: str
    redis: Redis
    objects: ObjectStore
    questions: Questions
    record: RecordServiceAsyncStub
    workers: WorkerServiceAsyncStub
    cleanup: ExitStack
    started: list[RunningProcess] = field(default_factory=list)
    new_id: Uuid7 = field(default_factory=Uuid7)

    def start(self, module: str, role: str = "serve", **settings: str) -> Process:
        number = len(self.started)
        ops = f"127.0.0.1:{free_ports(1)[0]}"
        listen = settings.pop("listen", f"unix:{self.home}/{number}.sock")
        own = {"listen": listen, "ops_listen": ops, **settings}
        environ = self.environ | {f"DEEPOJ_{name.upper()}": value for name, value in own.items()}
        spec = ProcessSpec(
            f"{module} {role}",
            (sys.executable, "-m", f"deepoj_{module}", role),
            ready=lambda: http_get(f"http://{ops}/readyz")[0] == 200,
            environ=environ,
        )
        running = RunningProcess(spec, self.home / f"{number}-{module}-{role}.log")
        self.started.append(running)
        self.cleanup.callback(running.kill)
        return Process(running, listen, f"http://{ops}")

    def worker(self, *, wait: bool = True, **settings: str) -> Process:
        home = self.home / f"worker-{len(self.started)}"
        given = {"home": str(home), "precompile": "false", "cores": "1", **settings}
        started = self.start("judgement", **given)
        if wait:
            started.running.wait_ready()
        return started

    async def submit(self, question_id: str, source: str = ADD, language: str = "python3") -> str:
        submission_id = str(self.new_id())
        await self.record.Submit(
            record_pb2.SubmitRequest(
                actor=CONTESTANT,
                submission_id=submission_id,
                idempotency_key=submission_id,
                question_id=question_id,
                language=language,
                source=source,
            )
        )
        return submission_id

    async def get(self, submission_id: str) -> record_pb2.GetResponse:
        return await self.record.Get(record_pb2.GetRequest(actor=ADMIN, submission_id=submission_id))

    async def status(self, submission_id: str) -> record_pb2.Status.ValueType:
        return (await self.get(submission_id)).submission.status

    async def ended(self, submission_id: str, within: float = 30.0) -> record_pb2.GetResponse:
        async def is_terminal() -> bool:
            try:
                return await self.status(submission_id) in TERMINAL
            except RemoteError:
                # A test may stop record for a while.
                return False

        await eventually(is_terminal, within)
        return await self.get(submission_id)

    async def running(self, submission_id: str) -> None:
        async def is_running() -> bool:
            return await self.status(submission_id) == record_pb2.STATUS_RUNNING

        await eventually(is_running)

    async def cancel(self, submission_id: str) -> None:
        await self.record.Cancel(record_pb2.CancelRequest(actor=CONTESTANT, submission_id=submission_id))

    async def has_jobs(self) -> bool:
        return bool(await self.redis.keys(f"deepoj:{self.env}:jobs:*"))

    async def enqueue(self, queue: str, fields: Mapping[str, str]) -> None:
        await append(self.redis, [NewEntry(f"deepoj:{self.env}:jobs:{queue}", fields)], system_clock())

    async def repeat_messages(self) -> None:
        """Deliver the oldest message of every queue once more."""
        for key in await self.redis.keys(f"deepoj:{self.env}:jobs:*"):
            stream = key.decode() if isinstance(key, bytes) else key
            _, fields = (await entries(self.redis, stream))[0]
            await self.enqueue(stream.partition(":jobs:")[2], fields)

    async def forget_queues(self) -> None:
        await self.redis.delete(*await self.redis.keys(f"deepoj:{self.env}:jobs:*"))

    async def pending(self) -> int:
        """Return how many messages of all queues are delivered and not acknowledged."""
        keys = await self.redis.keys(f"deepoj:{self.env}:jobs:*")
        found = 0
        for key in keys:
            for group in await self.redis.xinfo_groups(key):
                found += int(group["pending"]) + int(group["lag"] or 0)
        return found

    async def drained(self, within: float = 20.0) -> None:
        async def empty() -> bool:
            return await self.pending() == 0

        await eventually(empty, within)


@dataclass(frozen=True)
class Process:
    running: RunningProcess
    address: str
    ops_url: str

    def metrics(self) -> str:
        return http_get(f"{self.ops_url}/metrics")[1]

    def log(self) -> str:
        return self.running.log.read_text()

    def judgement(self) -> tuple[grpc.aio.Channel, JudgementServiceAsyncStub]:
        channel = connect(self.address, Secret(TOKEN))
        return channel, JudgementServiceStub(channel)


CONTESTANT = common_pb2.Actor(account_id=str(UUID(int=7)), role=common_pb2.ROLE_CONTESTANT)
ADMIN = common_pb2.Actor(account_id=str(UUID(int=8)), role=common_pb2.ROLE_ADMIN)
ACCEPTED = judging_pb2.VERDICT_ACCEPTED


@pytest.fixture(scope="session")
def pipeline_template(servers: Servers) -> Iterator[str]:
    name = f"template_{uuid4().hex}"
    with psycopg.connect(servers.postgres_url, autocommit=True) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        for service in ("record", "judgement"):
            upgrade(urlsplit(servers.postgres_url)._replace(path=f"/{name}").geturl(), service)
        yield name
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture
async def pipeline(
    servers: Servers,
    pipeline_template: str,
    make_database: Callable[[str], str],
    bucket: str,
    private_home: Path,
    sandbox_works: None,  # noqa: ARG001
) -> AsyncIterator[Pipeline]:
    env = f"test-{uuid4().hex[:12]}"
    question = f"unix:{private_home}/question.sock"
    record = f"unix:{private_home}/record.sock"
    database = make_database(pipeline_template)
    s3 = servers.s3
    settings = {
        "env": env, "service_token": TOKEN, "postgres_url": database, "redis_url": servers.redis_url,
        "s3_endpoint": s3.endpoint, "s3_access_key": s3.access_key, "s3_secret_key": s3.secret_key,
        "s3_bucket": bucket, "question_address": question, "record_address": record,
        "game_address": question, "lease": "1500ms", "heartbeat": "400ms", "reclaim_grace": "100ms",
        "reclaim_interval": "200ms", "sandbox_state": str(private_home / "sandbox"),
        "light_backoff": "0.1,0.2,0.4", "heavy_backoff": "0.1,0.2,0.4", "outbox_head_start": "200ms",
        "watchdog_interval": "300ms", "patience": "1s",
    }  # fmt: skip
    environ = {f"DEEPOJ_{name.upper()}": value for name, value in settings.items()}
    async with ObjectStore(s3.endpoint, s3.access_key, Secret(s3.secret_key), bucket) as objects:
        questions = Questions(objects)  # type: ignore[abstract]  # it serves two methods of many
        server = Server(question, Secret(TOKEN), Readiness())
        add_QuestionServiceServicer_to_server(questions, server.registry)
        redis = connect_redis(servers.redis_url)
        with ExitStack() as cleanup:
            async with server, redis, connect(record, Secret(TOKEN)) as channel:
                made = Pipeline(
                    private_home, environ, env, redis, objects, questions,
                    RecordServiceStub(channel), WorkerServiceStub(channel), cleanup,
                )  # fmt: skip
                made.start("record", listen=record).running.wait_ready()
                yield made
                cleanup.close()
