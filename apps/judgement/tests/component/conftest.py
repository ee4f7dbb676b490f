"""The judging pipeline as processes: record, a worker, and a question service that knows what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from apps.judgement.tests.services import Questions
from deepoj_domain.events import EVENTS
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.question.events import QuestionChange, QuestionChanged
from deepoj_domain.streams import Streams
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import RemoteError, Server, connect
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.objects import ObjectStore
from deepoj_kit.settings import Secret
from deepoj_kit.streams import EventCodec
from deepoj_kit.streams import connect as connect_redis
from deepoj_kit.streams.commands import NewEntry, append
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.plugin import MakeTemplate
from deepoj_kit.testing.servers import Servers
from deepoj_kit.testing.services import TOKEN, Service, ServiceStarter
from deepoj_kit.testing.streams import entries
from deepoj_migrations import upgrade
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceStub, WorkerServiceStub

if TYPE_CHECKING:
    # Known to the type checker only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

TERMINAL = {record_pb2.STATUS_FINISHED, record_pb2.STATUS_DEAD, record_pb2.STATUS_CANCELLED}
ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
CONTESTANT = common_pb2.Actor(account_id=str(UUID(int=7)), role=common_pb2.ROLE_CONTESTANT)
ADMIN = common_pb2.Actor(account_id=str(UUID(int=8)), role=common_pb2.ROLE_ADMIN)
# A worker asks the compiler of each language for its version before it is ready: those that most tests send.
LANGUAGES = "python3,c11,cpp17"
# For tests that wait for the end of a lease. It is long enough that a busy machine does not let one run out
# that should not: each would cost one of the three attempts there are.
HASTY = {"lease": "3s", "heartbeat": "500ms"}


@dataclass
class Pipeline:
    """One environment: its stores, its services, and calls on them."""

    home: Path
    settings: dict[str, str]
    starter: ServiceStarter
    redis: Redis
    objects: ObjectStore
    questions: Questions
    record: RecordServiceAsyncStub
    workers: WorkerServiceAsyncStub
    new_id: Uuid7 = field(default_factory=Uuid7)
    records: list[Service] = field(default_factory=list)

    async def start(self, module: str, role: str = "serve", *, wait: bool = True, **own: str) -> Service:
        settings = self.settings | own
        listen = settings.pop("listen", None)
        service = self.starter(f"deepoj_{module}", settings, role=role, listen=listen, wait=False)
        if wait:
            # In a thread, because this process serves questions meanwhile.
            await asyncio.to_thread(service.process.wait_ready)
        return service

    async def serve_record(self, *, wait: bool = True, **own: str) -> Service:
        served = await self.start("record", wait=wait, listen=self.settings["record_address"], **own)
        self.records.append(served)
        return served

    async def relay(self, *, wait: bool = True, **own: str) -> Service:
        return await self.start("record", "relay", wait=wait, **own)

    async def worker(self, *, wait: bool = True, **own: str) -> Service:
        home = str(self.home / f"worker-{self.new_id()}")
        return await self.start("judgement", wait=wait, **{"home": home, **own})

    def request(
        self, question_id: str, source: str = ADD, language: str = "python3"
    ) -> record_pb2.SubmitRequest:
        submission_id = str(self.new_id())
        return record_pb2.SubmitRequest(
            actor=CONTESTANT,
            submission_id=submission_id,
            idempotency_key=submission_id,
            question_id=question_id,
            language=language,
            source=source,
        )

    async def submit(self, question_id: str, source: str = ADD, language: str = "python3") -> str:
        said = await self.record.Submit(self.request(question_id, source, language))
        return said.submission_id

    async def revise(self, question_id: str, cases: Mapping[str, str]) -> None:
        """As question does: the event is in the stream before the change is answered."""
        revision = RevisionRef(QuestionId(UUID(question_id)), await self.questions.revise(question_id, cases))
        now = system_clock()
        event = QuestionChanged(occurred_at=now, revision=revision, version=2, change=QuestionChange.REVISED)
        stream = Streams(self.settings["env"]).question_events
        await append(self.redis, [NewEntry(stream, EventCodec(EVENTS).encode(event))], now)

    async def get(self, submission_id: str) -> record_pb2.GetResponse:
        return await self.record.Get(record_pb2.GetRequest(actor=ADMIN, submission_id=submission_id))

    async def count(self, *statuses: record_pb2.Status.ValueType) -> int:
        """Return how many submissions there are in these states, or in any."""
        chosen = record_pb2.SubmissionFilter(statuses=statuses)
        page = common_pb2.PageRequest(size=500)
        return len(
            (
                await self.record.List(record_pb2.ListRequest(actor=ADMIN, filter=chosen, page=page))
            ).submissions
        )

    async def ended(self, submission_id: str) -> record_pb2.GetResponse:
        async def is_terminal() -> bool:
            try:
                return (await self.get(submission_id)).submission.status in TERMINAL
            except RemoteError:
                # A test may stop record for a while.
                return False

        await eventually(is_terminal)
        return await self.get(submission_id)

    async def running(self, submission_id: str) -> None:
        async def is_running() -> bool:
            return (await self.get(submission_id)).submission.status == record_pb2.STATUS_RUNNING

        await eventually(is_running)

    async def cancel(self, submission_id: str) -> None:
        await self.record.Cancel(record_pb2.CancelRequest(actor=CONTESTANT, submission_id=submission_id))

    async def queues(self) -> list[str]:
        found = cast("list[bytes]", await self.redis.keys(f"{self._jobs}*"))
        return [key.decode() for key in found]

    async def queued(self) -> int:
        """Return how many messages all queues hold, read or not."""
        return sum([await self.redis.xlen(queue) for queue in await self.queues()])

    async def has_queued(self, count: int = 1) -> None:
        async def arrived() -> bool:
            return await self.queued() >= count

        await eventually(arrived)

    async def enqueue(self, queue: str, fields: Mapping[str, str]) -> None:
        await append(self.redis, [NewEntry(f"{self._jobs}{queue}", fields)], system_clock())

    async def repeat_messages(self) -> None:
        """Deliver the oldest message of every queue once more."""
        for queue in await self.queues():
            _, fields = (await entries(self.redis, queue))[0]
            await self.enqueue(queue.removeprefix(self._jobs), fields)

    async def forget_queues(self) -> None:
        await self.redis.delete(*await self.queues())

    async def pending(self) -> int:
        """Return how many messages of all queues are not acknowledged, delivered or not."""
        found = 0
        for queue in await self.queues():
            for group in await self.redis.xinfo_groups(queue):
                found += int(group["pending"]) + int(group["lag"] or 0)
        return found

    async def drained(self) -> None:
        async def empty() -> bool:
            return await self.pending() == 0

        await eventually(empty)

    @property
    def _jobs(self) -> str:
        return f"deepoj:{self.settings['env']}:jobs:"


OpenPipeline = Callable[..., AbstractAsyncContextManager[Pipeline]]


@pytest.fixture(scope="session")
def pipeline_template(make_template: MakeTemplate) -> str:
    def migrate(url: str) -> None:
        for service in ("record", "judgement"):
            upgrade(url, service)

    return make_template(migrate)


@pytest.fixture
def pipeline_settings(
    servers: Servers,
    pipeline_template: str,
    make_database: Callable[[str], str],
    bucket: str,
    private_home: Path,
) -> dict[str, str]:
    return {
        "env": f"test-{uuid4().hex[:12]}", "postgres_url": make_database(pipeline_template),
        "redis_url": servers.redis_url, "s3_endpoint": servers.s3.endpoint,
        "s3_access_key": servers.s3.access_key, "s3_secret_key": servers.s3.secret_key, "s3_bucket": bucket,
        "question_address": f"unix:{private_home}/question.sock",
        "record_address": f"unix:{private_home}/record.sock",
        "game_address": "unix:/nobody",
        "judgement_address": "unix:/nobody",
        "lease": "60s", "heartbeat": "400ms", "reclaim_grace": "100ms", "reclaim_interval": "200ms",
        "light_backoff": "0.1,0.2,0.4", "heavy_backoff": "0.1,0.2,0.4", "outbox_head_start": "200ms",
        "watchdog_interval": "300ms", "patience": "1s", "sandbox_state": str(private_home / "sandbox"),
        "precompile": "false", "cores": "1", "canary_interval": "0s", "languages": LANGUAGES,
    }  # fmt: skip


@pytest.fixture
def open_pipeline(
    pipeline_settings: dict[str, str], start_service: ServiceStarter, private_home: Path
) -> OpenPipeline:
    """Give a function that opens the stores and serves questions; the test starts the processes."""

    @asynccontextmanager
    async def opened(**own: str) -> AsyncIterator[Pipeline]:
        settings = pipeline_settings | own
        secret = Secret(settings["s3_secret_key"])
        store = ObjectStore(settings["s3_endpoint"], settings["s3_access_key"], secret, settings["s3_bucket"])
        patience = timedelta(seconds=PATIENCE)
        async with (
            store as objects,
            connect_redis(settings["redis_url"]) as redis,
            connect(settings["record_address"], Secret(TOKEN), deadline=patience) as channel,
        ):
            server = Server(settings["question_address"], Secret(TOKEN), Readiness())
            questions = Questions(objects)  # type: ignore[abstract]  # it serves two methods of many
            add_QuestionServiceServicer_to_server(questions, server.registry)
            async with server:
                yield Pipeline(
                    private_home, settings, start_service, redis, objects, questions,
                    RecordServiceStub(channel), WorkerServiceStub(channel),
                )  # fmt: skip

    return opened


@pytest.fixture
async def pipeline(open_pipeline: OpenPipeline, sandbox_works: None) -> AsyncIterator[Pipeline]:  # noqa: ARG001
    async with open_pipeline() as opened:
        await opened.serve_record()
        yield opened


@pytest.fixture
def open_hasty(open_pipeline: OpenPipeline) -> OpenPipeline:
    """With leases that end soon; start a relay too, whose watchdog sends again what is lost."""
    return partial(open_pipeline, **HASTY)


@pytest.fixture
async def hasty(open_hasty: OpenPipeline, sandbox_works: None) -> AsyncIterator[Pipeline]:  # noqa: ARG001
    async with open_hasty() as opened:
        await asyncio.gather(opened.serve_record(), opened.relay())
        yield opened
