"""A judge host is set up by one command, and judges with nothing but what the site told it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from apps.judgement.tests.component.conftest import OpenPipeline, Pipeline
from deepoj.cli import cli
from deepoj.worker.join import HostSettings
from deepoj.worker.reach import reached
from deepoj_kit.clock import system_clock
from deepoj_kit.embedded.free_ports import LOOPBACK, hold_port
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.grpc import Server
from deepoj_kit.lifecycle import Readiness
from deepoj_kit.postgres import Database
from deepoj_kit.settings import Secret
from deepoj_kit.testing.services import Service
from deepoj_kit.tls import Tls
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.question.v1.question_pb2_grpc import add_QuestionServiceServicer_to_server
from deepoj_record.commands.judge_hosts import InviteHost, RevokeHost
from deepoj_record.outbound.postgres.judge_hosts import PostgresJudgeHosts
from kit.tests.certificates import DAY, Authority
from kit.tests.tls_front import behind_tls

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


@dataclass
class Fronts:
    """What a host calls, each behind TLS with a certificate as told; ours unless a test wants another."""

    stack: AsyncExitStack
    good: Tls
    settings: Mapping[str, str]
    home: Path

    async def told(self) -> dict[str, str]:
        """Return record's settings for judge hosts."""
        redis = urlsplit(self.settings["redis_url"])
        store = self.settings["s3_endpoint"].partition("//")[2]
        record, question, cache, objects = (
            await self.before(self.settings["record_address"], alpn="h2"),
            await self.before(f"unix:{self.home}/for-hosts.sock", alpn="h2"),
            await self.before(f"unix:{redis.path}"),
            await self.before(store),
        )
        return {
            "hosts_record_address": record,
            "hosts_question_address": question,
            "hosts_redis_url": f"rediss://:{redis.password or ''}@{cache}",
            "hosts_s3_endpoint": f"https://{objects}",
            "hosts_reference_ms": "100",
            "tls": "server",
            "tls_ca": str(self.good.authorities),
        }

    async def before(self, target: str, tls: Tls | None = None, alpn: str = "") -> str:
        front = behind_tls(tls or self.good, target, alpn=alpn)
        return f"{LOOPBACK}:{await self.stack.enter_async_context(front)}"


def assert_is_set_up(found: Any, settings: Path) -> None:  # noqa: ANN401 — parsed JSON
    assert (found["host"], found["settings"]) == ("judge-1", str(settings))
    assert [each["what"] for each in found["addresses"]] == ["record", "question", "redis", "s3"]
    assert "python3" in found["languages"]
    assert found["isolation"]["sufficient"]
    assert S_IMODE(settings.stat().st_mode) == 0o600
    assert 'DEEPOJ_JUDGEMENT_REFERENCE_MS="100"' in settings.read_text()


@pytest.mark.usefixtures("sandbox_works")
async def test_a_fresh_host_joins_by_one_command_and_judges_with_everything_over_tls(
    open_pipeline: OpenPipeline, pipeline_settings: dict[str, str], private_home: Path
) -> None:
    settings, token = private_home / "etc" / "worker.env", private_home / "token"
    ours, foreign = Authority(private_home, "ours"), Authority(private_home, "foreign")
    async with AsyncExitStack() as stack:
        fronts = Fronts(stack, ours.issue("server"), pipeline_settings, private_home)
        told = await fronts.told()
        pipeline, door = await stack.enter_async_context(opened_site(open_pipeline, private_home, **told))
        credential = await invited(pipeline, "judge-1")
        token.write_text(f"{credential}\n")
        questions = Server(f"unix:{private_home}/for-hosts.sock", Secret(credential), Readiness())
        add_QuestionServiceServicer_to_server(pipeline.questions, questions.registry)
        await stack.enter_async_context(questions)
        arguments = (
            "--token-file",
            str(token),
            "--settings",
            str(settings),
            "--home",
            str(private_home / "w"),
        )

        async def distrusted(tls: Tls, sentence: str) -> None:
            """Whoever answers here hears nothing of the token."""
            site = f"https://{await fronts.before(door.address, tls)}"
            done = await deepoj("join", site, *arguments, "--authority", str(ours.file))
            assert (done.returncode, done.stdout) == (EXIT_UNREACHABLE, ""), done.stderr
            assert sentence in done.stderr
            assert not settings.parent.exists()

        await distrusted(foreign.issue("foreign"), "is from no authority that this machine knows")
        await distrusted(ours.issue("ended", ends=-DAY), "has ended")
        await distrusted(ours.issue("other", host="127.0.0.2"), "is for another address")
        site = f"https://{await fronts.before(door.address)}"
        unknown = await deepoj("join", site, *arguments)
        assert unknown.returncode == EXIT_UNREACHABLE
        assert "--authority" in unknown.stderr

        joined = await deepoj("join", site, *arguments, "--authority", str(ours.file), "--json")
        assert joined.returncode == 0, joined.stderr
        assert credential not in joined.stdout + joined.stderr
        found = json.loads(joined.stdout)
        assert_is_set_up(found, settings)
        assert S_IMODE((private_home / "w").stat().st_mode) == 0o700
        log = private_home / "joined.log"
        spec = ProcessSpec(
            "joined",
            (sys.executable, "-m", *found["run"]),
            ready=lambda: '"ready"' in log.read_text(),
            environ={"DEEPOJ_JUDGEMENT_PRECOMPILE": "false", "DEEPOJ_JUDGEMENT_SPEED_BAND": "10"},
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

        await invited(pipeline, "judge-1")
        older = await deepoj("join", site, *arguments, "--authority", str(ours.file))
        assert older.returncode == EXIT_REFUSED
        assert "or not any more" in older.stderr


async def test_who_stands_in_between_is_found_out_before_anything_is_told_to_them(
    private_home: Path,
) -> None:
    """Nobody but our authority is believed, and only for the address that is called."""
    ours, foreign = Authority(private_home, "ours"), Authority(private_home, "foreign")
    heard: list[bytes] = []

    async def tried(tls: Tls, authorities: str) -> dict[str, str]:
        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.append(await reader.read(1))
            writer.close()

        async with await asyncio.start_server(hear, LOOPBACK, 0) as listener:
            target = f"{LOOPBACK}:{listener.sockets[0].getsockname()[1]}"
            async with behind_tls(tls, target, alpn="h2") as grpc, behind_tls(tls, target) as other:
                there = HostSettings(
                    name="judge-1", env="live", record_address=f"{LOOPBACK}:{grpc}",
                    question_address=f"{LOOPBACK}:{grpc}", redis_url=f"rediss://x:secret@{LOOPBACK}:{other}",
                    s3_endpoint=f"https://{LOOPBACK}:{other}", s3_bucket="deepoj", s3_access_key="key",
                    s3_secret_key="hidden", tls="server", authorities=authorities,
                )  # fmt: skip
                found = await asyncio.to_thread(reached, there, "host_secret", (None, None))
        return {each.what: each.problem for each in found}

    told = ours.file.read_text()
    for tls, problem in (
        (foreign.issue("foreign"), "its certificate is from no authority that the site has named"),
        (ours.issue("ended", ends=-DAY), "its certificate has ended"),
        (ours.issue("other", host="127.0.0.2"), "its certificate is for another name or address"),
    ):
        assert await tried(tls, told) == dict.fromkeys(("record", "question", "redis", "s3"), problem)
    assert not any(heard)


async def test_who_cannot_be_set_up_is_told_why_and_nothing_is_written(
    open_pipeline: OpenPipeline, private_home: Path
) -> None:
    settings, token = private_home / "worker.env", private_home / "token"
    async with opened_site(open_pipeline, private_home, hosts_redis_url="") as (pipeline, door):
        url = f"http://{door.address}"
        credential = await invited(pipeline, "judge-1")

        async def refused(text: str, url: str, code: int, sentence: str) -> None:
            token.write_text(text)
            # In this process: each of its own would import all of the command line.
            argv = ["worker", "join", url, "--token-file", str(token), "--settings", str(settings)]
            done = await asyncio.to_thread(CliRunner().invoke, cli, argv)
            assert done.exit_code == code, done.stderr
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


NOT_OURS = {
    "another site": (200, b"<html>"),
    "a list": (200, b"[1]"),
    "one that leads elsewhere": (302, b""),
    "one that takes no such call": (405, b"{}"),
}


@pytest.mark.parametrize("answer", NOT_OURS.values(), ids=NOT_OURS)
async def test_a_site_that_is_none_of_ours_is_named_as_such(
    private_home: Path, answer: tuple[int, bytes]
) -> None:
    settings, token = private_home / "worker.env", private_home / "token"
    token.write_text("host_token")
    status, body = answer

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"host_token")
        head = f"HTTP/1.1 {status} .\r\nlocation: http://other.invalid\r\ncontent-length: {len(body)}"
        writer.write(f"{head}\r\n\r\n".encode() + body)
        writer.close()

    async with await asyncio.start_server(reply, LOOPBACK, 0) as listener:
        url = f"http://{LOOPBACK}:{listener.sockets[0].getsockname()[1]}"
        argv = ["worker", "join", url, "--token-file", str(token), "--settings", str(settings)]
        done = await asyncio.to_thread(CliRunner().invoke, cli, argv)
    assert (done.exit_code, settings.exists()) == (EXIT_REFUSED, False), done.stderr
    assert "is it the address of a Deep-OJ" in done.stderr


@pytest.mark.parametrize("url", ["ftp://oj.example", "https://[::1", "https://oj.example:x", "https://"])
def test_what_is_no_address_is_said_to_be_none(private_home: Path, url: str) -> None:
    token = private_home / "token"
    token.write_text("host_token")
    done = CliRunner().invoke(cli, ["worker", "join", url, "--token-file", str(token)])
    assert done.exit_code == EXIT_USAGE
    assert "is not the address of a server" in done.stderr
