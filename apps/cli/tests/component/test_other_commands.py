"""status, logs, down, config and doctor as a person or a program uses them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from apps.cli.tests.up_process import UpProcess
from deepoj.cli import cli


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("DEEPOJ_") and not name.startswith("DEEPOJ_TEST_"):
            monkeypatch.delenv(name)


def _deepoj(*arguments: str, environ: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(cli, arguments, env=environ)


def test_a_running_stack_is_shown_followed_and_stopped(
    new_data: Path, toy_up: Callable[..., UpProcess], external: dict[str, str]
) -> None:
    data = ("--data", str(new_data))
    up = toy_up(environ=external)
    url = up.wait_ready().split()[3]

    status = _deepoj("status", *data)
    assert status.exit_code == 0
    assert url in status.stdout
    assert "judgement" in status.stdout
    assert "\x1b" not in status.stdout, "colours are for terminals"
    shown = json.loads(_deepoj("status", "--json", *data).stdout)
    assert (shown["url"], shown["phase"], shown["pid"]) == (url, "ready", up.pid)
    assert {each["state"] for each in shown["processes"]} == {"ready"}

    logs = _deepoj("logs", "record", *data)
    assert json.loads(logs.stdout)["message"] == "settings"
    unknown = _deepoj("logs", "recrod", *data)
    assert unknown.exit_code == 5
    assert "it has bff, game, judgement" in unknown.stderr

    assert _deepoj("down", *data).exit_code == 0
    assert up.wait()[0] == 0
    for command in ("status", "down"):
        absent = _deepoj(command, *data)
        assert absent.exit_code == 3
        assert "no stack runs on" in absent.stderr


def test_config_shows_sources_and_hides_secrets() -> None:
    environ = {
        "DEEPOJ_RECORD_POSTGRES_URL": "postgresql://judge:hidden@db/deepoj",
        "DEEPOJ_SERVICE_TOKEN": "hidden",
        "DEEPOJ_LOG_LEVEL": "debug",
    }
    done = _deepoj("config", "--json", environ=environ)
    assert done.exit_code == 0
    assert "hidden" not in done.stdout
    settings = {(each["process"], each["name"]): each for each in json.loads(done.stdout)}
    assert settings["record", "postgres_url"]["source"] == "DEEPOJ_RECORD_POSTGRES_URL"
    assert settings["game", "postgres_url"]["source"] == "deepoj up"
    assert settings["bff", "log_level"]["value"] == "debug"
    assert ("bff", "postgres_url") not in settings

    wrong = _deepoj("config", "record", environ={"DEEPOJ_LOG_LEVEL": "loud"})
    assert wrong.exit_code == 1
    assert "DEEPOJ_LOG_LEVEL" in wrong.stdout


def test_doctor_names_what_is_missing_and_how_to_get_it(tmp_path: Path) -> None:
    environ = {"PATH": str(tmp_path), "DEEPOJ_S3_BIN": "/nowhere"}
    done = _deepoj("doctor", "--json", environ=environ)
    assert done.exit_code == 1
    findings = {each["name"]: each for each in json.loads(done.stdout)}
    assert findings["s3"]["status"] == "missing"
    assert findings["python3"]["status"] == "ok"
    absent = [each for each in findings.values() if each["group"] == "languages" and each["remedy"]]
    assert all(each["found"] == "not installed" and each["status"] == "warning" for each in absent)
    assert all("deepoj doctor --install" in each["remedy"] for each in absent)
    assert findings["python"]["status"] == "ok"
    assert {"user namespaces", "seccomp", "cgroups", "memory", "disk", "port 8000"} <= findings.keys()


def test_migrate_needs_a_url_that_answers() -> None:
    assert _deepoj("migrate").exit_code == 2
    unreachable = _deepoj("migrate", environ={"DEEPOJ_POSTGRES_URL": "postgresql://u:hidden@127.0.0.1:1/d"})
    assert unreachable.exit_code == 6
    assert "hidden" not in unreachable.stderr


def test_migrate_brings_an_empty_database_up_to_date(postgres_url: str) -> None:
    environ = {"DEEPOJ_POSTGRES_URL": postgres_url}
    assert _deepoj("migrate", "--check", environ=environ).exit_code == 1
    migrated = _deepoj("migrate", "--json", environ=environ)
    assert "record" in json.loads(migrated.stdout)["migrated"]
    assert _deepoj("migrate", "--check", environ=environ).stdout == "Every schema is up to date.\n"
