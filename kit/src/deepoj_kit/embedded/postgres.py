"""PostgreSQL on a unix socket, its data directory made by our own initdb."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import psycopg

from deepoj_kit.embedded.binaries import find_postgres
from deepoj_kit.embedded.process import ProcessSpec, ServerError, minimal_environ

SUPERUSER = "deepoj"
MAX_CONNECTIONS = 400
# A crash of the machine may cost an ephemeral server its data; nothing else may be traded for speed.
EPHEMERAL_OPTIONS = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


def postgres(data: Path, run: Path, password: str, *, ephemeral: bool = False) -> tuple[ProcessSpec, str]:
    """Prepare the data directory; return how to start the server, and its URL."""
    programs = find_postgres()
    _initialise(programs, data, password)
    url = postgres_url(run, SUPERUSER, password, "postgres")
    options = [
        "listen_addresses=",
        f"unix_socket_directories={run}",
        "unix_socket_permissions=0700",
        f"max_connections={MAX_CONNECTIONS}",
        *(EPHEMERAL_OPTIONS if ephemeral else ()),
    ]
    argv = [
        str(programs / "postgres"),
        "-D",
        str(data),
        *(part for option in options for part in ("-c", option)),
    ]
    spec = ProcessSpec(
        name="postgres",
        argv=tuple(argv),
        ready=lambda: _accepts_connections(url),
        stop_signal=signal.SIGINT,  # fast shutdown: ends open sessions, keeps every commit
        drop_root=True,
    )
    return spec, url


def postgres_url(run: Path, user: str, password: str, database: str) -> str:
    host = quote(str(run), safe="")
    return f"postgresql://{quote(user)}:{quote(password, safe='')}@/{quote(database)}?host={host}"


def _initialise(programs: Path, data: Path, password: str) -> None:
    if (data / "PG_VERSION").is_file():
        _refuse_other_version(programs, data)
        return
    if data.exists() and any(data.iterdir()):
        raise ServerError(
            f"{data} is not a PostgreSQL data directory and is not empty: choose another --data directory "
            "or move this one away"
        )
    data.mkdir(parents=True, exist_ok=True)
    try:
        _run_initdb(programs, data, password)
    except BaseException:
        shutil.rmtree(data, ignore_errors=True)  # half a cluster would look broken on the next start
        raise


def _run_initdb(programs: Path, data: Path, password: str) -> None:
    with tempfile.NamedTemporaryFile("w", suffix=".pw") as password_file:
        password_file.write(password)
        password_file.flush()
        argv = (
            str(programs / "initdb"),
            f"--pgdata={data}",
            f"--username={SUPERUSER}",
            f"--pwfile={password_file.name}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync",
        )
        command = ProcessSpec("initdb", argv, ready=lambda: True, drop_root=True).command()
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=minimal_environ())
    if done.returncode != 0:
        reason = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no reason given"]
        raise ServerError(f"PostgreSQL could not create its data directory {data}: {reason[0]}")


def _refuse_other_version(programs: Path, data: Path) -> None:
    made_by = (data / "PG_VERSION").read_text().strip()
    version = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, check=True)
    installed = version.stdout.split()[2].split(".")[0]
    if made_by != installed:
        raise ServerError(
            f"{data} was made by PostgreSQL {made_by} but version {installed} is installed: dump it with the "
            "old version and restore it, or choose another --data directory"
        )


def _accepts_connections(url: str) -> bool:
    try:
        psycopg.connect(url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True
