"""A worker with what a host elsewhere is given: its credential, its user of Redis, no PostgreSQL."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from apps.judgement.tests.component.conftest import Pipeline
from apps.judgement.tests.component.test_faults import judged_once
from apps.judgement.tests.programs import SLOW
from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import Server
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_record.commands.judge_hosts import InviteHost
from deepoj_record.outbound.postgres.judge_hosts import PostgresJudgeHosts

OPERATIONS = Path(__file__).parents[4] / "docs" / "operations.md"
PASSWORD = "throw-away"
Execute = Callable[..., Awaitable[object]]


@pytest.fixture
async def redis_user(pipeline: Pipeline) -> str:
    """Make the user that the documentation tells of; return the URL that it connects with."""
    name, parts = f"judge-{uuid4().hex}", urlsplit(pipeline.settings["redis_url"])
    [line] = [each for each in OPERATIONS.read_text().splitlines() if "ACL SETUSER" in each]
    told = line.replace("judge-hosts", name).replace(">PASSWORD", f">{PASSWORD}")
    execute: Execute = pipeline.redis.execute_command
    await execute(*rules(told.replace("ENV", pipeline.settings["env"])))
    return f"unix://{name}:{PASSWORD}@{parts.path}"


def rules(line: str) -> list[str]:
    """Split as a shell of Redis would: a selector in brackets is one word."""
    return shlex.split(line.replace("(", "'(").replace(")", ")'"))


async def test_a_host_elsewhere_judges_with_what_it_is_given(pipeline: Pipeline, redis_user: str) -> None:
    async with Database(pipeline.settings["postgres_url"]) as database:
        credential = await InviteHost(PostgresJudgeHosts(database), system_clock)("judge-1")
    # What question does with the credential is shown in its own tests.
    questions = Server(f"unix:{pipeline.home}/for-hosts.sock", Secret(credential), Readiness())
    add_QuestionServiceServicer_to_server(pipeline.questions, questions.registry)
    async with questions:
        worker = await pipeline.worker(
            service_token=credential,
            worker_name="judge-1",
            question_address=questions.address,
            redis_url=redis_user,
            postgres_url="",
            judge_cache="false",
            job_rate="100",
        )
        question = await pipeline.questions.add({"1 2": "3"})
        judged = (await pipeline.ended(await pipeline.submit(question))).submission
    assert judged.result.verdict == judging_pb2.VERDICT_ACCEPTED
    assert credential not in worker.log()
    assert "permission" not in worker.log().lower()


async def test_two_machines_with_one_token_are_one_host_and_every_job_is_judged_once(hasty: Pipeline) -> None:
    """The second goes while the first works under the same name: it takes nothing from it but time."""
    async with Database(hasty.settings["postgres_url"]) as database:
        credential = await InviteHost(PostgresJudgeHosts(database), system_clock)("judge-1")
    questions = Server(f"unix:{hasty.home}/for-hosts.sock", Secret(credential), Readiness())
    add_QuestionServiceServicer_to_server(hasty.questions, questions.registry)
    machine = partial(
        hasty.worker, service_token=credential, worker_name="judge-1", question_address=questions.address,
        postgres_url="", judge_cache="false", cores="2",
    )  # fmt: skip
    async with questions:
        await machine()
        question = await hasty.questions.add({"1 2": "3"})
        jobs = [await hasty.submit(question, SLOW) for _ in range(2)]
        await hasty.running(jobs[0])
        second = await machine()
        jobs += [await hasty.submit(question) for _ in range(4)]
        await asyncio.to_thread(second.process.stop, PATIENCE)
        for job in jobs:
            found = await judged_once(hasty, job)
            assert {attempt.worker for attempt in found.attempts} == {"judge-1"}


async def test_its_user_of_redis_can_invent_neither_a_job_nor_an_event(
    pipeline: Pipeline, redis_user: str
) -> None:
    streams = Streams(pipeline.settings["env"])
    attempts: list[tuple[str | int, ...]] = [
        ("XADD", streams.jobs(Lane.LIGHT, Band.CONTEST), "*", "job_id", "1"),
        ("XADD", streams.submission_events, "*", "type", "x"),
        ("XREAD", "STREAMS", streams.account_events, "0"),
        ("XREAD", "STREAMS", streams.submission_events, "0"),
        ("XADD", streams.cancellations, "*", "job_id", "1"),
        ("DEL", streams.jobs(Lane.LIGHT, Band.CONTEST)),
        ("EVAL", f"return redis.call('DEL', '{streams.submission_events}')", 0),
        ("KEYS", "*"),
        ("FLUSHALL",),
        ("ACL", "LIST"),
        ("CONFIG", "GET", "requirepass"),
        ("GET", "deepoj:other:job-rate"),
    ]
    async with Redis.from_url(redis_user, protocol=2) as host:
        execute: Execute = host.execute_command
        for attempt in attempts:
            with pytest.raises(ResponseError, match=r"(?i)no permissions|NOPERM|ACL failure"):
                await execute(*attempt)
