"""A judge host is set up by one command, and judges with nothing but what the site told it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from stat import S_IMODE

import pytest

from apps.judgement.tests.component.conftest import OpenPipeline, Pipeline
from deepoj_kit.clock import system_clock
from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.grpc import Server
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import Service
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_record.commands.judge_hosts import InviteHost, RevokeHost
from deepoj_record.outbound.postgres.judge_hosts import PostgresJudgeHosts

EXIT_USAGE, EXIT_UNREACHABLE, EXIT_REFUSED = 2, 6, 8


@asynccontextmanager
async def opened_site(
    open_pipeline: OpenPipeline, home: Path, **own: str
) -> AsyncIterator[tuple[Pipeline, Service]]:
    """Run record, with all that judge hosts are told, and the front door."""
    async with open_pipeline() as pipeline:
        settings = pipeline.settings
        told = {
            "hosts_record_address": settings["record_address"],
            "hosts_question_address": f"unix:{home}/for-hosts.sock",
            "hosts_redis_url": settings["redis_url"],
            "hosts_s3_endpoint": settings["s3_endpoint"],
            "hosts_s3_access_key": settings["s3_access_key"],
            "hosts_s3_secret_key": settings["s3_secret_key"],
        }
        with hold_port() as held:
            port = held.getsockname()[1]
        _, door = await asyncio.gather(
            pipeline.serve_record(wait=True, **(told | own)),
            pipeline.start("bff", listen=f"{LOOPBACK}:{port}", user_address="unix:/nobody"),
        )
        yield pipeline, door


async def invited(pipeline: Pipeline, name: str) -> str:
    async with Database(pipeline.settings["postgres_url"]) as database:
        return await InviteHost(PostgresJudgeHosts(database), system_clock)(name)


async def deepoj(*arguments: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "deepoj", "worker", *arguments]
    return await asyncio.to_thread(
        subprocess.run, argv, env=minimal_environ(), capture_output=True, text=True, check=False
    )


@pytest.mark.usefixtures("sandbox_works")
async def test_a_fresh_host_joins_by_one_command_and_judges(
    open_pipeline: OpenPipeline, private_home: Path
) -> None:
    settings, token = private_home / "etc" / "worker.env", private_home / "token"
    async with opened_site(open_pipeline, private_home) as (pipeline, door):
        credential = await invited(pipeline, "judge-1")
        token.write_text(f"{credential}\n")
        questions = Server(f"unix:{private_home}/for-hosts.sock", Secret(credential), Readiness())
        add_QuestionServiceServicer_to_server(pipeline.questions, questions.registry)
        async with questions:
            joined = await deepoj(
                "join", f"http://{door.address}", "--token-file", str(token), "--json",
                "--settings", str(settings), "--home", str(private_home / "worker"),
            )  # fmt: skip
            assert joined.returncode == 0, joined.stderr
            told = json.loads(joined.stdout)
            assert (told["host"], told["settings"]) == ("judge-1", str(settings))
            assert [each["what"] for each in told["addresses"]] == ["record", "question", "redis", "s3"]
            assert "python3" in told["languages"]
            assert told["isolation"]["sufficient"]
            assert S_IMODE(settings.stat().st_mode) == 0o600
            assert credential not in joined.stdout + joined.stderr
            log = private_home / "joined.log"
            spec = ProcessSpec(
                "joined",
                (sys.executable, "-m", *told["run"]),
                ready=lambda: '"ready"' in log.read_text(),
                environ={"DEEPOJ_JUDGEMENT_PRECOMPILE": "false"},
            )
            process = RunningProcess(spec, log)
            try:
                await asyncio.to_thread(process.wait_ready)
                question = await pipeline.questions.add({"1 2": "3"})
                ended = await pipeline.ended(await pipeline.submit(question))
            finally:
                process.kill()
        assert ended.submission.result.verdict == judging_pb2.VERDICT_ACCEPTED
        assert [each.worker for each in ended.attempts] == ["judge-1"]
        assert pipeline.settings["s3_secret_key"] not in door.log()


async def test_who_cannot_be_set_up_is_told_why_and_nothing_is_written(
    open_pipeline: OpenPipeline, private_home: Path
) -> None:
    settings, token = private_home / "worker.env", private_home / "token"
    async with opened_site(open_pipeline, private_home, hosts_redis_url="") as (pipeline, door):
        url = f"http://{door.address}"
        credential = await invited(pipeline, "judge-1")

        async def refused(text: str, url: str, code: int, sentence: str) -> None:
            token.write_text(text)
            done = await deepoj("join", url, "--token-file", str(token), "--settings", str(settings))
            assert done.returncode == code, done.stderr
            assert sentence in done.stderr
            assert credential not in done.stdout + done.stderr
            assert not settings.exists()

        await refused("host_" + "A" * 43, url, EXIT_REFUSED, "deepoj worker invite NAME")
        await refused(credential, url, EXIT_REFUSED, "record lacks hosts_redis_url")
        await refused(credential, "http://example.invalid", EXIT_USAGE, "passwords in the clear")
        await refused("two words", url, EXIT_USAGE, "does not hold a token")
        await refused("x" * 9000, url, EXIT_USAGE, "does not hold a token")
        await refused(credential, f"http://{LOOPBACK}:1", EXIT_UNREACHABLE, "cannot be reached")
        async with Database(pipeline.settings["postgres_url"]) as database:
            await RevokeHost(PostgresJudgeHosts(database), system_clock)("judge-1")
        await refused(credential, url, EXIT_REFUSED, "or not any more")


async def test_what_the_site_names_has_to_be_reached_first(
    open_pipeline: OpenPipeline, private_home: Path
) -> None:
    settings, token = private_home / "worker.env", private_home / "token"
    async with opened_site(open_pipeline, private_home) as (pipeline, door):
        token.write_text(await invited(pipeline, "judge-1"))
        # Nobody serves questions for hosts.
        done = await deepoj(
            "join", f"http://{door.address}", "--token-file", str(token), "--settings", str(settings)
        )
        assert done.returncode == EXIT_UNREACHABLE, done.stderr
        assert f"question at unix:{private_home}/for-hosts.sock" in done.stderr
        assert "ok record" in done.stdout
        assert not settings.exists()
