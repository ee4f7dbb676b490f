"""A database goes out in one snapshot and comes back in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from deepoj.backup.database import Database
from deepoj.errors import Failure

SCHEMAS = ("record", "user")


@pytest.fixture
def database(postgres_url: str) -> Database:
    _run(postgres_url, "CREATE SCHEMA record; CREATE TABLE record.kept (id int PRIMARY KEY, name text)")
    _run(postgres_url, 'CREATE SCHEMA "user"; CREATE TABLE "user".kept AS SELECT 1 AS id')
    _run(
        postgres_url,
        "INSERT INTO record.kept SELECT n, repeat(md5(n::text), 30) FROM generate_series(1, 2000) n",
    )
    return Database(postgres_url, SCHEMAS)


def _run(url: str, statement: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(statement.encode())


def _rows(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM record.kept").fetchone()
    return int(found[0]) if found else 0


def test_what_came_after_the_backup_is_gone_and_what_was_lost_is_back(
    database: Database, postgres_url: str
) -> None:
    archive = b"".join(database.dump())
    _run(postgres_url, "DELETE FROM record.kept WHERE id > 10; CREATE TABLE record.later (id int)")
    _run(postgres_url, "CREATE TABLE public.others AS SELECT 1 AS id")
    database.restore([archive])
    assert _rows(postgres_url) == 2000
    with pytest.raises(psycopg.errors.UndefinedTable):
        _run(postgres_url, "SELECT * FROM record.later")
    _run(postgres_url, "SELECT * FROM public.others")


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda whole: whole[: len(whole) // 2], id="cut in its data"),
        pytest.param(lambda whole: whole[:100], id="cut in its contents"),
        pytest.param(lambda whole: b"no archive" + whole, id="no archive"),
        pytest.param(lambda whole: whole[:-2000] + bytes(2000), id="changed"),
    ],
)
def test_an_archive_that_cannot_be_read_changes_nothing(
    database: Database, postgres_url: str, harm: Callable[[bytes], bytes]
) -> None:
    archive = b"".join(database.dump())
    _run(postgres_url, "DELETE FROM record.kept WHERE id > 10")
    with pytest.raises(Failure):
        database.restore([harm(archive)])
    assert _rows(postgres_url) == 10


def test_an_archive_whose_reading_fails_changes_nothing(database: Database, postgres_url: str) -> None:
    archive = b"".join(database.dump())
    _run(postgres_url, "DELETE FROM record.kept WHERE id > 10")

    def broken() -> Iterator[bytes]:
        yield archive
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        database.restore(broken())
    assert _rows(postgres_url) == 10


def test_a_server_that_refuses_keeps_what_it_has_and_says_why(database: Database, postgres_url: str) -> None:
    archive = b"".join(database.dump())
    _run(postgres_url, "DELETE FROM record.kept WHERE id > 10")
    _run(
        postgres_url,
        "CREATE FUNCTION public.no() RETURNS event_trigger LANGUAGE plpgsql "
        "AS $$ BEGIN RAISE 'not today'; END $$;"
        "CREATE EVENT TRIGGER no ON ddl_command_end WHEN TAG IN ('CREATE TABLE') "
        "EXECUTE FUNCTION public.no()",
    )
    with pytest.raises(Failure, match="not today"):
        database.restore([archive])
    _run(postgres_url, "DROP EVENT TRIGGER no; DROP FUNCTION public.no")
    assert _rows(postgres_url) == 10


def test_the_revision_of_each_schema_that_has_one_is_told(database: Database, postgres_url: str) -> None:
    _run(postgres_url, "CREATE TABLE record.alembic_version AS SELECT 'record_0001' AS version_num")
    assert database.revisions() == {"record": "record_0001"}


def test_others_at_the_database_are_counted_and_no_password_is_an_argument(
    database: Database, postgres_url: str
) -> None:
    with psycopg.connect(postgres_url):
        assert database.visitors() == 1
    assert database.held() == ["record", "user"]
    with pytest.raises(Failure, match="could not be read"):
        b"".join(Database(postgres_url.replace("throw-away", "wrong"), SCHEMAS).dump())
