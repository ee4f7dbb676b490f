"""Each service is a process of its own that says what it needs, serves, and stops when it is told to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from deepoj_kit.embedded.free_ports import free_ports
from deepoj_kit.embedded.nursery import Nursery
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.grpc import Kind, RemoteError, connect, is_serving
from deepoj_kit.settings import Secret
from deepoj_kit.testing.conditions import PATIENCE, eventually
from deepoj_kit.testing.plugin import PrivateServer
from deepoj_kit.testing.services import TOKEN, ServiceStarter, http_get, shared_nursery
from deepoj_migrations import upgrade

GRPC_SERVICES = ("record", "judgement", "question", "game", "user")
# Whatever a service needs besides its database may be away: it starts, serves and says so per call.
AWAY = {
    "redis_url": "redis://127.0.0.1:1/0",
    "question_address": "unix:/nobody",
    "game_address": "unix:/nobody",
    "judgement_address": "unix:/nobody",
    "record_address": "unix:/nobody",
    "s3_endpoint": "http://127.0.0.1:1",
    "s3_access_key": "nobody",
    "s3_secret_key": "nothing",
    "s3_bucket": "nowhere",
    "judgement_runner": "one_shot",
    "judgement_precompile": "false",
    "judgement_canary_interval": "0s",
}


@pytest.mark.parametrize("name", GRPC_SERVICES)
async def test_a_service_serves_those_with_the_credential_and_drains_on_sigterm(
    start_service: ServiceStarter, postgres_url: str, private_home: Path, name: str
) -> None:
    upgrade(postgres_url, name)
    settings = {"postgres_url": postgres_url, "judgement_home": str(private_home / "home"), **AWAY}
    service = start_service(f"deepoj_{name}", settings)
    async with connect(service.address, Secret(TOKEN)) as channel:
        assert await is_serving(channel)
    async with connect(service.address, Secret("another")) as channel:
        with pytest.raises(RemoteError) as refused:
            await channel.unary_unary("/deepoj.any.v1.Service/Call", request_serializer=bytes)(b"")
    assert refused.value.kind is Kind.UNAUTHENTICATED
    service.process.stop(PATIENCE)
    assert service.process.exit_code() == 0
    assert '"message":"stopped"' in service.process.log.read_text()


async def test_a_service_is_not_ready_while_its_database_is_away_and_recovers(
    start_service: ServiceStarter, private_postgres: PrivateServer
) -> None:
    upgrade(private_postgres.url, "record")
    service = start_service("deepoj_record", {"postgres_url": private_postgres.url, **AWAY})
    private_postgres.kill()
    answers: list[tuple[int, str]] = []

    def is_not_ready() -> bool:
        answers.append(service.readiness())
        return answers[-1][0] == 503

    await eventually(is_not_ready)
    assert json.loads(answers[-1][1])["failing"].keys() == {"postgres"}
    private_postgres.start()
    await eventually(lambda: service.readiness()[0] == 200)


async def test_the_front_door_says_which_service_is_missing(
    start_service: ServiceStarter, postgres_url: str
) -> None:
    upgrade(postgres_url, "record")
    record = start_service("deepoj_record", {"postgres_url": postgres_url, **AWAY})
    nobody = f"127.0.0.1:{free_ports(1)[0]}"
    addresses = {f"{name}_address": nobody for name in GRPC_SERVICES} | {"record_address": record.address}
    addresses["redis_url"] = AWAY["redis_url"]
    bff = start_service("deepoj_bff", addresses, listen=f"127.0.0.1:{free_ports(1)[0]}")
    status, body = http_get(f"http://{bff.address}/api/health")
    assert (status, json.loads(body)["status"]) == (503, "degraded")
    assert [name for name, said in json.loads(body)["services"].items() if said == "serving"] == ["record"]


async def test_two_front_doors_never_share_a_port(start_service: ServiceStarter) -> None:
    listen = f"127.0.0.1:{free_ports(1)[0]}"
    addresses = {f"{name}_address": "unix:/nobody" for name in GRPC_SERVICES} | AWAY
    start_service("deepoj_bff", addresses, listen=listen)
    second = start_service("deepoj_bff", addresses, listen=listen, wait=False)
    await eventually(lambda: second.process.exit_code() == 1)
    assert f"cannot listen on {listen} (listen): Address already in use" in second.process.log.read_text()


def test_services_are_imported_without_a_thread_that_a_fork_would_tear() -> None:
    nursery = Nursery(minimal_environ())
    nursery.open()
    nursery.load(f"deepoj_{name}" for name in (*GRPC_SERVICES, "bff"))
    assert len(list(Path(f"/proc/{nursery.pid}/task").iterdir())) == 1
    nursery.close()


@pytest.mark.parametrize("name", [*GRPC_SERVICES, "bff"])
def test_bad_settings_are_named_in_one_sentence_and_exit_with_2(tmp_path: Path, name: str) -> None:
    code, said = run(tmp_path, name, "serve", DEEPOJ_LOG_LEVEL="loud")
    assert code == 2
    assert said.startswith(f"{name}: cannot start: ")
    assert f"DEEPOJ_{name.upper()}_SERVICE_TOKEN is not set" in said
    assert "DEEPOJ_LOG_LEVEL is 'loud'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("name", [*GRPC_SERVICES, "bff"])
def test_config_shows_every_setting_with_its_source_and_no_secret(tmp_path: Path, name: str) -> None:
    _, said = run(tmp_path, name, "config", "--json", DEEPOJ_SERVICE_TOKEN="a secret")
    rows = {row["name"]: row for row in json.loads(said)}
    assert rows["service_token"]["source"] == "DEEPOJ_SERVICE_TOKEN"
    assert rows["env"] | {"help": ""} == {
        "name": "env", "variable": f"DEEPOJ_{name.upper()}_ENV", "value": "dev", "source": "default",
        "help": "", "problem": "",
    }  # fmt: skip
    assert "a secret" not in said


def test_help_has_an_example() -> None:
    command = [sys.executable, "-m", "deepoj_record", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={})
    said = " ".join(done.stdout.split())
    assert "example: DEEPOJ_CONFIG=deepoj.toml python -m deepoj_record serve" in said


def run(home: Path, name: str, *arguments: str, **environ: str) -> tuple[int, str]:
    """Return the exit code of a service's command, and all it wrote."""
    argv = (sys.executable, "-m", f"deepoj_{name}", *arguments)
    spec = ProcessSpec(name, argv, ready=lambda: True, environ=environ)
    process = RunningProcess(spec, home / "said", shared_nursery())
    return process.wait(), process.log.read_text()
