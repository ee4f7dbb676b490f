"""A database put back to a moment between two backups, as docs/operations.md tells it."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from deepoj_kit.embedded.binaries import find_postgres
from deepoj_kit.embedded.postgres import postgres
from deepoj_kit.embedded.process import ProcessSpec, RunningProcess, minimal_environ
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.scratch import scratch_directory
from deepoj_migrations import upgrade

OPERATIONS = Path(__file__).parents[4] / "docs" / "operations.md"
PASSWORD = "throw-away"


@pytest.fixture
def place() -> Iterator[Path]:
    with scratch_directory() as directory:
        # The server and its archiver run as somebody else when the tests run as root.
        directory.chmod(0o777)
        yield directory


def settings_of(section: str, place: Path) -> list[str]:
    """Return the lines of PostgreSQL's settings that the documentation has under this comment."""
    text = OPERATIONS.read_text().partition("### To a moment")[2].partition("\n## ")[0]
    found = re.search(rf"^# {section}.*\n((?:\w+ = .*\n)+)", text, re.MULTILINE)
    assert found, section
    return found[1].replace("/mnt/wal", str(place / "wal")).splitlines()


@contextmanager
def serving(place: Path, data: Path) -> Iterator[str]:
    run = place / "run"
    run.mkdir(mode=0o777, exist_ok=True)
    run.chmod(0o777)
    spec, url = postgres(data, run, PASSWORD)
    process = RunningProcess(spec, place / "postgres.log")
    try:
        process.wait_ready()
        yield url
    finally:
        process.stop(30)


def with_settings(data: Path, lines: list[str]) -> None:
    with (data / "postgresql.auto.conf").open("a") as file:
        file.writelines(f"{line}\n" for line in lines)


def written(url: str) -> datetime:
    """Store a row and return a moment after it, by the clock of the server."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO record.drained_workers VALUES (%s, 'a test', %s, now(), now())",
            (uuid4().hex, uuid4()),
        )
        found = connection.execute("SELECT clock_timestamp()").fetchone()
    assert found
    moment: datetime = found[0]
    return moment


def count(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM record.drained_workers").fetchone()
    return int(found[0]) if found else 0


def is_promoted(url: str) -> bool:
    with psycopg.connect(url) as connection:
        return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)


def archived(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
        assert found
        last = connection.execute

        def is_there() -> bool:
            (name,) = last("SELECT last_archived_wal FROM pg_stat_archiver").fetchone() or (None,)
            return name is not None and name >= found[0]

        asyncio.run(eventually(is_there))


def test_what_was_lost_by_mistake_is_back_as_it_was_a_moment_before(place: Path) -> None:
    data, base, wal = place / "data", place / "base", place / "wal"
    wal.mkdir()
    wal.chmod(0o777)
    with serving(place, data):
        pass
    with_settings(data, settings_of("on the server that serves", place))
    with serving(place, data) as url:
        upgrade(url, "record")
        written(url)
        argv = (str(find_postgres() / "pg_basebackup"), "-D", str(base), "-c", "fast", "-d", url)
        command = ProcessSpec("pg_basebackup", argv, ready=lambda: True, drop_root=True).command()
        subprocess.run(command, check=True, capture_output=True, env=minimal_environ())
        moment = written(url)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM record.drained_workers")
        written(url)
        assert count(url) == 1
        archived(url)
    shutil.rmtree(data)

    lines = [
        line.replace("2026-10-01 18:29:59+00", str(moment)) for line in settings_of("on the copy", place)
    ]
    assert str(moment) in "".join(lines)
    with_settings(base, lines)
    (base / "recovery.signal").touch()
    with serving(place, base) as url:
        asyncio.run(eventually(lambda: is_promoted(url)))
        assert count(url) == 2
        written(url)
