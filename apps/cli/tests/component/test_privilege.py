"""No process holds a credential it has no use for, and no secret is where others can read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from apps.cli.tests.up_process import UpProcess
from deepoj.state import StackState


def _settings(data: Path, service: str) -> dict[str, str]:
    for line in (data / "logs" / f"{service}.log").read_text().splitlines():
        settings: dict[str, str] = json.loads(line)["settings"]
        return settings
    raise AssertionError(f"{service} logged nothing")


def _arguments(state: StackState) -> str:
    return "".join(Path(f"/proc/{each.pid}/cmdline").read_text() for each in state.processes)


def test_each_service_gets_only_what_it_needs(new_data: Path, toy_up: Callable[..., UpProcess]) -> None:
    up = toy_up(environ={"DEEPOJ_RECORD_LEASE": "30s", "DEEPOJ_LOG_LEVEL": "debug"})
    up.wait_ready()

    processes = ("bff", "record", "record-relay", "judgement")
    bff, record, relay, judgement = (_settings(new_data, name) for name in processes)
    assert "DEEPOJ_POSTGRES_URL" not in bff
    assert "DEEPOJ_S3_SECRET_KEY" not in bff
    assert bff["DEEPOJ_LOG_LEVEL"] == "debug"
    assert "DEEPOJ_RECORD_LEASE" not in bff
    assert record["DEEPOJ_RECORD_LEASE"] == "30s"
    assert record["DEEPOJ_POSTGRES_URL"].startswith("postgresql://deepoj_record:")
    assert "DEEPOJ_S3_SECRET_KEY" in record, "whoever serves reads logs"
    assert "DEEPOJ_S3_SECRET_KEY" not in relay
    assert judgement["DEEPOJ_RECORD_ADDRESS"] == record["DEEPOJ_RECORD_LISTEN"]

    with psycopg.connect(record["DEEPOJ_POSTGRES_URL"]) as own:
        own.execute("INSERT INTO record.kept VALUES (1)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            own.execute('SELECT * FROM "user".kept')

    credentials = json.loads((new_data / "credentials.json").read_text())
    assert (new_data / "credentials.json").stat().st_mode & 0o777 == 0o600
    secrets = [value for value in credentials.values() if isinstance(value, str)]
    secrets += credentials["roles"].values()
    assert len(secrets) == 10
    servers = "".join((new_data / "logs" / f"{name}.log").read_text() for name in ("postgres", "redis", "s3"))
    shown = _arguments(up.state()) + servers + up.output + (new_data / "state.json").read_text()
    assert [secret for secret in secrets if secret in shown] == []
