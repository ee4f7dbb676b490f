"""What stops is started again, and the stack says so."""

from __future__ import annotations

from collections.abc import Callable

from apps.cli.tests.up_process import UpProcess
from deepoj.state import State
from deepoj_kit.testing.conditions import until


def test_a_killed_service_is_started_again_and_counted(
    toy_up: Callable[..., UpProcess], external: dict[str, str]
) -> None:
    up = toy_up(environ=external)
    up.wait_ready()
    for restarts in (1, 2, 3):
        before = up.process("record").pid
        up.kill_process("record")
        until(lambda: up.process("record").restarts == restarts, f"restart {restarts}")  # noqa: B023 — used in this turn
        until(lambda: up.process("record").state is State.READY, "it is ready again")
        assert up.process("record").pid != before
    assert "signal 9" in up.process("record").reason
    assert {each.restarts for each in up.state().processes if each.name != "record"} == {0}
    assert up.stop() == 0
    assert "record: back-off, restarts 2, signal 9" in up.output


def test_a_killed_server_is_started_again(toy_up: Callable[..., UpProcess], external: dict[str, str]) -> None:
    embedded = {"DEEPOJ_POSTGRES_URL", "DEEPOJ_REDIS_URL"}
    up = toy_up(environ={name: value for name, value in external.items() if name not in embedded})
    up.wait_ready()
    for name in ("postgres", "redis"):
        up.kill_process(name)
        until(lambda: up.process(name).restarts >= 1, "it was started again")  # noqa: B023 — used in this turn
        until(lambda: up.process(name).state is State.READY, "it is ready again")  # noqa: B023 — same
    assert up.stop() == 0
