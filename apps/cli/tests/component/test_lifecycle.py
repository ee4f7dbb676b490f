"""From the first start to the last process: what stays and what does not."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from apps.cli.tests.up_process import UpProcess, alive
from deepoj.credentials import load_or_make
from deepoj.home import Home
from deepoj.runtime import runtime_path
from deepoj.stack.up import ECHO
from deepoj.state import Phase
from deepoj_kit.embedded.postgres import postgres_url
from deepoj_kit.testing.conditions import until


def _database(data: Path) -> psycopg.Connection:
    password = load_or_make(Home(data), ()).postgres
    return psycopg.connect(postgres_url(runtime_path(data), "deepoj", password, "deepoj"))


def test_data_is_kept_and_a_stop_leaves_nothing(
    new_data: Path, toy_up: Callable[..., UpProcess], capsys: pytest.CaptureFixture[str]
) -> None:
    first = toy_up()
    first.wait_ready()
    with _database(new_data) as connection:
        connection.execute("INSERT INTO record.kept VALUES (7)")
    running = first.state()
    assert first.stop(signal.SIGTERM) == 0
    assert first.left_behind(running) == []

    second = toy_up()
    line = second.wait_ready()
    with capsys.disabled():
        print(f"\nsecond start: {line}")  # noqa: T201 — a figure to read; too noisy to assert
    with _database(new_data) as connection:
        assert connection.execute("SELECT id FROM record.kept").fetchall() == [(7,)]
    assert second.stop(signal.SIGINT) == 0


def test_killing_up_leaves_no_child_and_the_next_start_clears_up_after_it(
    toy_up: Callable[..., UpProcess],
) -> None:
    killed = toy_up()
    killed.wait_ready()
    running = killed.state()
    killed.stop(signal.SIGKILL)
    until(lambda: not alive(running), "every child has ended")

    following = toy_up()
    following.wait_ready()
    assert following.stop() == 0
    assert following.left_behind(running) == []


def test_a_second_interrupt_kills_what_does_not_stop(
    toy_up: Callable[..., UpProcess], external: dict[str, str]
) -> None:
    up = toy_up(environ=external | {"DEEPOJ_RECORD_STUBBORN": "1"})
    up.wait_ready()
    running = up.state()
    up.send(signal.SIGINT)
    up.send(signal.SIGINT)  # an echo of the first, at once: however slow the machine, it is no second wish
    until(lambda: up.process("record").state == "stopping", "record was asked to stop")
    asked = time.monotonic()
    until(lambda: time.monotonic() > asked + ECHO, "the time of echoes is over")
    assert not up.ended()
    assert up.stop(signal.SIGINT) == 130
    assert up.left_behind(running) == []


def test_a_stop_during_the_start_leaves_nothing(toy_up: Callable[..., UpProcess]) -> None:
    up = toy_up()
    until(lambda: bool(up.state().processes), "the first server was started")
    running = up.state()
    assert up.stop(signal.SIGTERM) == 0
    assert up.left_behind(running) == []


def test_the_stack_outlives_the_reader_of_its_output(
    toy_up: Callable[..., UpProcess], external: dict[str, str]
) -> None:
    up = toy_up(environ=external)
    up.close_output()
    until(lambda: up.state().phase is Phase.READY, "it is ready")
    assert up.stop() == 0
