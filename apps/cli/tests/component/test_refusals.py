"""What cannot work is refused in one sentence and with a code of its own."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from apps.cli.tests.up_process import UpProcess

ToyUp = Callable[..., UpProcess]


def _refusal(up: UpProcess) -> tuple[int, str]:
    code, complaint = up.wait()
    assert complaint.startswith("error: ")
    assert complaint.count("\n") == 1, "one sentence, no traceback"
    return code, complaint


def test_a_port_in_use(toy_up: ToyUp) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        code, complaint = _refusal(toy_up(port=port))
    assert code == 5
    assert f"port {port} on 127.0.0.1 is in use by another program" in complaint
    assert "--port" in complaint


def test_a_data_directory_in_use(toy_up: ToyUp, external: dict[str, str]) -> None:
    first = toy_up(environ=external)
    first.wait_ready()
    code, complaint = _refusal(toy_up(environ=external))
    assert code == 4
    assert "another deepoj up uses the data directory" in complaint
    assert first.stop() == 0


def test_a_data_directory_that_is_a_file(toy_up: ToyUp, new_data: Path) -> None:
    new_data.write_text("not a directory")
    code, complaint = _refusal(toy_up())
    assert code == 5
    assert f"the data directory {new_data} cannot be used" in complaint


def test_a_directory_of_somebody_else_where_postgresql_should_be(toy_up: ToyUp, new_data: Path) -> None:
    (new_data / "postgres").mkdir(parents=True)
    (new_data / "postgres" / "letters").touch()
    code, complaint = _refusal(toy_up())
    assert code == 5
    assert "is not a PostgreSQL data directory and is not empty" in complaint
    assert (new_data / "postgres" / "letters").exists()


def test_a_broken_database_says_what_postgresql_said(
    toy_up: ToyUp, new_data: Path, external: dict[str, str]
) -> None:
    remote = {name: value for name, value in external.items() if name != "DEEPOJ_POSTGRES_URL"}
    first = toy_up(environ=remote)
    first.wait_ready()
    assert first.stop() == 0
    (new_data / "postgres" / "global" / "pg_control").unlink()
    code, complaint = _refusal(toy_up(environ=remote))
    assert code == 1
    assert "postgres stopped while starting" in complaint
    assert "pg_control" in complaint
    (new_data / "credentials.json").unlink()
    code, complaint = _refusal(toy_up(environ=remote))
    assert code == 5
    assert "credentials.json is missing" in complaint


def test_a_service_that_cannot_start_is_named_with_its_reason(
    toy_up: ToyUp, external: dict[str, str]
) -> None:
    code, complaint = _refusal(toy_up(environ=external | {"DEEPOJ_GAME_BROKEN": "1"}))
    assert code == 1
    assert "game stopped while starting: no board to play on" in complaint
