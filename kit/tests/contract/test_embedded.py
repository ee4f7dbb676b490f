"""Child processes end when they must, and a schema's role reaches that schema only."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from deepoj_kit.embedded.mark import read_mark, write_mark
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, ServerError
from deepoj_kit.embedded.roles import SchemaRole, ensure_roles, role_url
from deepoj_kit.testing.conditions import until
from deepoj_kit.testing.servers import Servers

PARENT = """
import sys
from pathlib import Path
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess
child = RunningProcess(ProcessSpec("sleep", ("sleep", "1000"), ready=lambda: True), Path(sys.argv[1]))
print(child.pid, flush=True)
sys.stdin.read()
"""


def _is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path / "log")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        until(lambda: Path(f"/proc/{child}/comm").read_text() == "sleep\n")
        parent.kill()
    until(lambda: _is_gone(child))


def test_a_kill_takes_what_the_program_started_along(tmp_path: Path) -> None:
    log = tmp_path / "log"
    spec = ProcessSpec("shell", ("sh", "-c", "sleep 1000 & echo $!; wait"), ready=lambda: True)
    process = RunningProcess(spec, log)
    until(lambda: log.read_text().endswith("\n"))
    grandchild = int(log.read_text())
    process.kill()
    process.kill()
    assert process.exit_code() == -signal.SIGKILL
    until(lambda: _is_gone(grandchild))


def test_a_program_that_stops_while_starting_is_named_with_its_last_words(tmp_path: Path) -> None:
    spec = ProcessSpec("server", ("sh", "-c", "echo no licence; exit 3"), ready=lambda: False)
    process = RunningProcess(spec, tmp_path / "log")
    with pytest.raises(ServerError, match="server stopped while starting: no licence"):
        process.wait_ready()


@pytest.fixture
def role(servers: Servers, postgres_url: str) -> Iterator[SchemaRole]:
    """Roles belong to the whole server, so this one has a name of its own and is dropped."""
    name = sql.Identifier(f"role_{uuid4().hex}")
    yield SchemaRole(name.as_string().strip('"'), "mine", "secret")
    with psycopg.connect(postgres_url) as connection:
        connection.execute(sql.SQL("DROP OWNED BY {}").format(name))
    with psycopg.connect(servers.postgres_url) as connection:
        connection.execute(sql.SQL("DROP ROLE {}").format(name))


def test_a_role_reaches_its_own_schema_only(postgres_url: str, role: SchemaRole) -> None:
    with psycopg.connect(postgres_url) as connection:
        for schema in ("mine", "theirs"):
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
            connection.execute(sql.SQL("CREATE TABLE {}.now (id int)").format(sql.Identifier(schema)))
    for _ in range(2):
        ensure_roles(postgres_url, (role,))
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE TABLE mine.later (id int)")
    with psycopg.connect(role_url(postgres_url, role), autocommit=True) as connection:
        connection.execute("INSERT INTO mine.now VALUES (1)")
        connection.execute("INSERT INTO mine.later VALUES (1)")
        for forbidden in ("SELECT 1 FROM theirs.now", "CREATE TABLE mine.own (id int)", "CREATE SCHEMA own"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(sql.SQL(forbidden))


def test_a_mark_is_kept_in_the_database(postgres_url: str) -> None:
    assert read_mark(postgres_url) is None
    for mark in ("first", "second"):
        write_mark(postgres_url, mark)
        assert read_mark(postgres_url) == mark
