"""The command itself with the real services, as a newcomer starts it."""

from __future__ import annotations

import json
import os
import signal
import stat
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.cli.tests.up_process import PATIENCE, UpProcess, real_up
from deepoj.stack.services import SERVICES
from deepoj.state import State
from deepoj_kit.testing.conditions import until


@pytest.fixture
def up(new_data: Path) -> Iterator[UpProcess]:
    # Half a minute of compiling headers for nobody.
    environ = {"DEEPOJ_JUDGEMENT_PRECOMPILE": "false", "DEEPOJ_JUDGEMENT_CANARY_INTERVAL": "0s"}
    up = real_up(new_data, "--port", "0", "--demo", environ=environ)
    yield up
    up.stop()


def _health(url: str) -> object:
    with urllib.request.urlopen(f"{url}/api/health", timeout=PATIENCE) as answer:  # noqa: S310 — our own http URL
        return json.load(answer)


def _parent(pid: int | None) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_every_service_answers_comes_back_when_killed_and_leaves_nothing(
    up: UpProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    line = up.wait_ready()
    with capsys.disabled():
        print(f"\nfirst start: {line}")  # noqa: T201 — a figure to read; too noisy to assert
    url = up.state().url
    _health(url)
    admin, mail = up.data / "first-admin.json", up.data / "mail"
    assert f"name and password of the first admin: {admin}\nmail to users: {mail}\n" in up.output
    assert stat.S_IMODE(admin.stat().st_mode) == 0o600
    assert "the example problems are loaded\n" in up.output
    loaded = (up.data / "logs" / "question-load.log").read_text()
    assert "aplusb: revision 1, new\n" in loaded

    names = [service.name for service in SERVICES]
    for name in names:
        up.kill_process(name)
    until(lambda: all(up.process(name).restarts >= 1 for name in names), "each was started again")
    until(lambda: {up.process(name).state for name in names} == {State.READY}, "each is ready again")
    _health(url)

    os.kill(_parent(up.process("record").pid), signal.SIGKILL)
    until(lambda: all(up.process(name).restarts > 1 for name in names), "each fell with what they came from")
    until(lambda: {up.process(name).state for name in names} == {State.READY}, "each is ready once more")
    _health(url)

    running = up.state()
    assert up.stop() == 0
    assert up.left_behind(running) == []
