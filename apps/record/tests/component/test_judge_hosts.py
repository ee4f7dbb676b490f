"""Judge hosts with credentials of their own: what these are good for, and what not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

import grpc
import psycopg
import pytest
from google.protobuf.duration_pb2 import Duration

from apps.record.tests.people import claimed, finalize, ref, submitted
from deepoj_kit.clock import system_clock
from deepoj_kit.embedded.process import minimal_environ
from deepoj_kit.grpc import Kind, RemoteError, connect
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.services import TOKEN, Service
from deepoj_proto.common.v1 import common_pb2
from deepoj_proto.record.v1 import record_pb2
from deepoj_proto.record.v1.record_pb2_grpc import WorkerServiceStub
from deepoj_record.commands.judge_hosts import InviteHost, RevokeHost
from deepoj_record.inbound.grpc.worker_servicer import FOR_HOSTS
from deepoj_record.outbound.postgres.judge_hosts import PostgresJudgeHosts

if TYPE_CHECKING:
    # These exist in the stubs only.
    from deepoj_proto.record.v1.record_pb2_grpc import RecordServiceAsyncStub, WorkerServiceAsyncStub

ADMIN = common_pb2.Actor(account_id=str(UUID(int=8)), role=common_pb2.ROLE_ADMIN)
LIST = record_pb2.ListDrainsRequest(actor=ADMIN)
METHODS = [
    f"/{service.full_name}/{method.name}"
    for service in record_pb2.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


@pytest.fixture
async def database(record_url: str) -> AsyncIterator[Database]:
    async with Database(record_url) as database:
        yield database


@pytest.fixture
async def credential(database: Database) -> str:
    return await InviteHost(PostgresJudgeHosts(database), system_clock)("judge-1")


@asynccontextmanager
async def calling(serving: Service, credential: str) -> AsyncIterator[WorkerServiceAsyncStub]:
    async with connect(serving.address, Secret(credential)) as channel:
        yield WorkerServiceStub(channel)


async def test_a_host_judges_with_its_own_credential(
    serving: Service, record: RecordServiceAsyncStub, credential: str
) -> None:
    job = await submitted(record)
    async with calling(serving, credential) as host:
        attempt = (await claimed(host, job, "judge-1.a")).attempt_id
        beat = record_pb2.HeartbeatRequest(worker="judge-1.a", attempts=[ref(job, attempt)])
        assert (await host.Heartbeat(beat)).outcomes[0].HasField("lease_until")
        written = await finalize(host, job, attempt, "judge-1.a")
    assert written.written.status == record_pb2.STATUS_FINISHED


async def test_it_is_good_for_no_call_but_those_of_workers(serving: Service, credential: str) -> None:
    refused = set()
    async with connect(serving.address, Secret(credential)) as channel:
        for method in METHODS:
            if method not in FOR_HOSTS:
                call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(method)
                with pytest.raises(RemoteError) as error:
                    await call(b"")
                refused.add((error.value.kind, error.value.reason))
    assert refused == {(Kind.FORBIDDEN, "call_not_allowed")}
    assert len(METHODS) > len(FOR_HOSTS) == 8


async def test_who_is_drained_is_told_so_until_it_is_resumed_and_no_other_is(
    serving: Service, worker: WorkerServiceAsyncStub, record: RecordServiceAsyncStub, credential: str
) -> None:
    async def told(asked: WorkerServiceAsyncStub, name: str) -> tuple[str, int] | None:
        answer = await asked.GetOrders(record_pb2.GetOrdersRequest(worker=name))
        return (answer.drain.reason, answer.drain.hand_back_in.seconds) if answer.HasField("drain") else None

    order = record_pb2.DrainWorkerRequest(actor=ADMIN, name="judge-1", reason="new kernel")
    order.hand_back_after.FromSeconds(3600)
    await record.DrainWorker(order)
    async with calling(serving, credential) as host:
        for name in ("judge-1", "judge-1.a"):
            reason, left = await told(host, name) or ("", 0)
            assert reason == "new kernel"
            assert 0 < left <= 3600
        with pytest.raises(RemoteError, match="may not speak for"):
            await told(host, "judge-2")
    for name in ("judge-10", "judge-1x.a", "Judge-1", "judge_1", "%"):
        assert await told(worker, name) is None

    order.reason, before = "at once", (await record.ListDrains(LIST)).drains[0]
    order.ClearField("hand_back_after")
    changed = (await record.DrainWorker(order)).drain
    assert (changed.drained_at, changed.hand_back_at) != (before.drained_at, before.hand_back_at)
    assert changed.drained_at == before.drained_at
    assert await told(worker, "judge-1.a") == ("at once", 0)

    await record.ResumeWorker(record_pb2.ResumeWorkerRequest(actor=ADMIN, name="judge-1"))
    assert await told(worker, "judge-1") is None
    assert not (await record.ListDrains(LIST)).drains


@pytest.mark.parametrize(
    "order",
    [
        record_pb2.DrainWorkerRequest(actor=ADMIN),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="two words"),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="x" * 129),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="x", reason="x" * 501),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="x", reason="a line\nand one that looks like a log"),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="x", hand_back_after=Duration(seconds=86_401)),
        record_pb2.DrainWorkerRequest(actor=ADMIN, name="x", hand_back_after=Duration(seconds=-1)),
    ],
)
async def test_an_order_that_makes_no_sense_drains_nobody(
    record: RecordServiceAsyncStub, order: record_pb2.DrainWorkerRequest
) -> None:
    with pytest.raises(RemoteError) as error:
        await record.DrainWorker(order)
    assert error.value.kind is Kind.INVALID
    assert not (await record.ListDrains(LIST)).drains


async def test_only_the_worker_that_was_asked_answers_and_once(
    serving: Service, worker: WorkerServiceAsyncStub, record: RecordServiceAsyncStub, credential: str
) -> None:
    job, key = await submitted(record), str(uuid4())
    asked = record_pb2.StartReproductionRequest(
        actor=ADMIN, reproduction_id=key, submission_id=job, worker="judge-1"
    )
    for _ in range(2):
        await record.StartReproduction(asked)

    async def answer(by: WorkerServiceAsyncStub, name: str, problem: str) -> None:
        said = record_pb2.ReproductionAnswer(problem=problem)
        await by.AnswerReproduction(
            record_pb2.AnswerReproductionRequest(worker=name, reproduction_id=key, answer=said)
        )

    async with calling(serving, credential) as host:
        [order] = (await host.GetOrders(record_pb2.GetOrdersRequest(worker="judge-1"))).reproductions
        assert (order.reproduction_id, order.language) == (key, "cpp17")
        assert order.source
        assert not (await worker.GetOrders(record_pb2.GetOrdersRequest(worker="judge-2"))).reproductions
        with pytest.raises(RemoteError, match="may not speak for"):
            await answer(host, "judge-2", "a lie")
        await answer(worker, "judge-2", "a lie")
        await answer(host, "judge-1", "no compiler\0")
        await answer(host, "judge-1", "a second thought")
        with pytest.raises(RemoteError, match="bytes at most"):
            await answer(host, "judge-1", "x" * 4_000_001)
        assert not (await host.GetOrders(record_pb2.GetOrdersRequest(worker="judge-1"))).reproductions
    found = await record.GetReproduction(record_pb2.GetReproductionRequest(actor=ADMIN, reproduction_id=key))
    assert found.answer.problem == "no compiler"


async def test_a_host_speaks_for_its_own_workers_only(
    serving: Service, worker: WorkerServiceAsyncStub, record: RecordServiceAsyncStub, credential: str
) -> None:
    job = await submitted(record)
    attempt = (await claimed(worker, job, "local")).attempt_id
    async with calling(serving, credential) as host:
        for name in ("local", "judge-10", "judge-1x.a", "judge-2.a"):
            with pytest.raises(RemoteError) as error:
                await finalize(host, job, attempt, name)
            assert (error.value.kind, error.value.reason) == (Kind.FORBIDDEN, "foreign_worker")
        late = await finalize(host, job, attempt, "judge-1")
    assert late.refused == record_pb2.REFUSAL_REASON_LEASE_LOST_OR_OWNER_MISMATCH
    assert (await finalize(worker, job, attempt, "local")).written.status == record_pb2.STATUS_FINISHED


@pytest.mark.parametrize("shown", ["", "host_", "host_" + "A" * 43, "x" * 5000])
async def test_what_is_nobodys_credential_is_refused(serving: Service, shown: str) -> None:
    async with calling(serving, shown) as stranger:
        with pytest.raises(RemoteError):
            await stranger.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())


async def test_a_revoked_or_replaced_credential_is_refused_within_seconds(
    serving: Service, database: Database, credential: str
) -> None:
    hosts = PostgresJudgeHosts(database)
    renewed = await InviteHost(hosts, system_clock)("judge-1")
    for ended, end in ((credential, None), (renewed, RevokeHost(hosts, system_clock))):
        async with calling(serving, ended) as host:
            if end is not None:
                await host.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())
                assert await end("judge-1")

            async def is_refused(host: WorkerServiceAsyncStub = host) -> bool:
                try:
                    await host.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())
                except RemoteError as error:
                    return (error.kind, error.reason) == (Kind.UNAUTHENTICATED, "bad_service_credential")
                return False

            await eventually(is_refused)


async def test_only_the_hash_of_a_credential_is_kept_and_none_is_logged(
    serving: Service, record_url: str, credential: str
) -> None:
    async with calling(serving, credential) as host:
        await host.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())
        with pytest.raises(RemoteError):
            await host.IdentifyHost(record_pb2.IdentifyHostRequest(credential=credential))
    with psycopg.connect(record_url) as connection:
        (row,) = connection.execute("SELECT judge_hosts::text FROM record.judge_hosts").fetchall()
    assert credential not in row[0]
    assert credential not in serving.log()


async def test_hosts_are_invited_and_revoked_on_the_command_line(
    serving: Service, settings: dict[str, str]
) -> None:
    made = await command(settings, "invite", "judge-7")
    async with calling(serving, made.stdout.strip()) as host:
        await host.GetLeaseTerms(record_pb2.GetLeaseTermsRequest())
    assert (await command(settings, "revoke", "judge-7")).returncode == 0
    unknown = await command(settings, "revoke", "judge-8")
    assert (unknown.returncode, unknown.stderr) == (
        1,
        "record: there is no judge host judge-8: `hosts` lists them\n",
    )


async def command(settings: dict[str, str], *argv: str) -> subprocess.CompletedProcess[str]:
    environ = {f"DEEPOJ_{name.upper()}": value for name, value in settings.items()}
    environ |= {"DEEPOJ_LISTEN": "unix:/nowhere", "DEEPOJ_SERVICE_TOKEN": TOKEN}
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "deepoj_record", *argv],
        env=minimal_environ() | environ,
        capture_output=True,
        text=True,
        check=False,
    )
