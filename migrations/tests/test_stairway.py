"""Every revision of every service goes up, down and up again, and leaves nothing behind."""

from __future__ import annotations

import threading

import psycopg
import pytest

from deepoj_migrations import SERVICES, downgrade, is_current, upgrade
from deepoj_migrations.run import scripts

STEPS = [
    (service, script.revision, script.down_revision or "base")
    for service in SERVICES
    for script in reversed(list(scripts(service).walk_revisions()))
]

# Columns, constraints and indexes as PostgreSQL itself spells them.
SHAPE = """
SELECT 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = %(schema)s AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind = 'r'
UNION ALL
SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(k.oid), ''
FROM pg_constraint k JOIN pg_namespace n ON n.oid = connamespace WHERE n.nspname = %(schema)s
UNION ALL
SELECT 'index', tablename, indexname, indexdef, '' FROM pg_indexes WHERE schemaname = %(schema)s
UNION ALL
SELECT 'function', '', proname, prosrc, '' FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
WHERE n.nspname = %(schema)s
ORDER BY 1, 2, 3, 4
"""


@pytest.mark.parametrize(("service", "revision", "before"), STEPS)
def test_a_revision_goes_up_down_and_up(postgres_url: str, service: str, revision: str, before: str) -> None:
    upgrade(postgres_url, service, before)
    shape_before = shape(postgres_url, service)
    upgrade(postgres_url, service, revision)
    shape_after = shape(postgres_url, service)
    assert shape_after != shape_before
    downgrade(postgres_url, service, before)
    assert without_version_table(shape(postgres_url, service)) == without_version_table(shape_before)
    upgrade(postgres_url, service, revision)
    assert shape(postgres_url, service) == shape_after


@pytest.mark.parametrize("service", SERVICES)
def test_a_service_has_one_newest_revision(service: str) -> None:
    assert len(scripts(service).get_heads()) == 1


@pytest.mark.parametrize("service", SERVICES)
def test_current_means_at_the_newest_revision(postgres_url: str, service: str) -> None:
    assert not is_current(postgres_url, service)
    upgrade(postgres_url, service)
    assert is_current(postgres_url, service)
    downgrade(postgres_url, service, "base")
    assert not is_current(postgres_url, service)


def test_a_service_changes_only_its_own_schema(postgres_url: str) -> None:
    upgrade(postgres_url, "record")
    with psycopg.connect(postgres_url) as connection:
        schemas = connection.execute(
            "SELECT DISTINCT schemaname FROM pg_tables"
            " WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
    assert schemas == [("record",)]


def test_two_migrations_at_the_same_time_both_succeed(postgres_url: str) -> None:
    failures: list[BaseException] = []

    def migrate() -> None:
        try:
            upgrade(postgres_url, "record")
        except BaseException as error:  # noqa: BLE001 — handed to the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=migrate) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert is_current(postgres_url, "record")


def test_an_unknown_service_is_refused_by_name(postgres_url: str) -> None:
    with pytest.raises(ValueError, match="there is no schema 'nothing': choose one of record"):
        upgrade(postgres_url, "nothing")


def shape(url: str, schema: str) -> list[tuple[str, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(SHAPE, {"schema": schema}).fetchall()


def without_version_table(rows: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [row for row in rows if "alembic_version" not in row[1]]
