"""A release runs beside the one before it, on one schema: what the older one uses is not taken from it.

What has to go, goes one release later: first nothing uses it any more, then it is dropped.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import psycopg
import pytest

from deepoj_migrations import SERVICES, upgrade

RELEASED: Final = tomllib.loads((Path(__file__).parents[1] / "released.toml").read_text())
Column = tuple[str, bool, bool]
_COLUMNS: Final = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
    a.atthasdef OR a.attidentity <> ''
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
WHERE c.relnamespace = %s::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
"""
# What may refuse a row: foreign keys and checks, keys and unique indexes.
_RULES: Final = """
SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = %(schema)s::regnamespace AND contype IN ('c', 'f')
UNION ALL
SELECT indrelid::regclass::text, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', 'UNIQUE ')
FROM pg_index JOIN pg_class c ON c.oid = indrelid
WHERE indisunique AND c.relnamespace = %(schema)s::regnamespace
"""


class Shape:
    def __init__(self, connection: psycopg.Connection, schema: str) -> None:
        rows = connection.execute(_COLUMNS, (schema,)).fetchall()
        self.columns: Mapping[tuple[str, str], Column] = {
            (table, name): (kind, required, filled) for table, name, kind, required, filled in rows
        }
        self.tables = {table for table, _ in self.columns}
        rules = connection.execute(_RULES, {"schema": schema}).fetchall()
        self.rules = {(table.rpartition(".")[2].strip('"'), rule) for table, rule in rules}


def objections(before: Shape, after: Shape) -> set[str]:
    """Name what a release that knows only `before` would miss or be refused for."""
    found = set(before.tables - after.tables)
    for (table, name), (kind, required, _) in before.columns.items():
        place = f"{table}.{name}"
        if table in after.tables and (table, name) not in after.columns:
            found.add(place)
        elif (table, name) in after.columns:
            now, needed, _ = after.columns[table, name]
            found |= {f"{place} {now}"} if now != kind else set()
            found |= {f"{place} NOT NULL"} if needed and not required else set()
    for (table, name), (_, required, filled) in after.columns.items():
        if table in before.tables and (table, name) not in before.columns and required and not filled:
            found.add(f"{table}.{name} without a default")
    return found | {
        f"{table}: {rule}" for table, rule in after.rules - before.rules if table in before.tables
    }


@pytest.fixture(scope="module")
def released(make_template: Callable[[Callable[[str], None]], str]) -> str:
    def prepare(url: str) -> None:
        for service in SERVICES:
            upgrade(url, service, RELEASED["revisions"][service])

    return make_template(prepare)


@pytest.mark.parametrize("service", SERVICES)
def test_later_revisions_leave_the_last_release_what_it_uses(
    released: str, make_database: Callable[[str], str], service: str
) -> None:
    url = make_database(released)
    with psycopg.connect(url, autocommit=True) as connection:
        before = Shape(connection, service)
        upgrade(url, service)
        told = {f"{service}.{each}" for each in objections(before, Shape(connection, service))}
    assert told - RELEASED["unused_since"].keys() == set()


def test_what_is_taken_away_is_unused_since_a_release_that_is_out() -> None:
    def number(release: str) -> tuple[int, ...]:
        return tuple(map(int, release.split(".")))

    assert all(number(each) <= number(RELEASED["release"]) for each in RELEASED["unused_since"].values())


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DROP TABLE user_test.t", "t"),
        ("ALTER TABLE user_test.t DROP COLUMN a", "t.a"),
        ("ALTER TABLE user_test.t RENAME COLUMN a TO b", "t.a"),
        ("ALTER TABLE user_test.t ALTER COLUMN a TYPE bigint", "t.a bigint"),
        ("ALTER TABLE user_test.t ALTER COLUMN a SET NOT NULL", "t.a NOT NULL"),
        ("ALTER TABLE user_test.t ADD COLUMN b int NOT NULL", "t.b without a default"),
        ("ALTER TABLE user_test.t ADD CONSTRAINT c CHECK (a > 0)", "t: CHECK ((a > 0))"),
        ("CREATE UNIQUE INDEX i ON user_test.t (a)", "t: UNIQUE btree (a)"),
        ("ALTER TABLE user_test.t ADD COLUMN b int NOT NULL DEFAULT 0, ADD COLUMN d text", None),
        ("CREATE TABLE user_test.u (a int NOT NULL PRIMARY KEY)", None),
        ("CREATE INDEX i ON user_test.t (a)", None),
    ],
)
def test_what_an_older_release_would_stumble_over_is_told(
    postgres_url: str, statement: str, told: str | None
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA user_test")
        connection.execute("CREATE TABLE user_test.t (id uuid, a int)")
        before = Shape(connection, "user_test")
        connection.execute(statement.encode())
        found = objections(before, Shape(connection, "user_test"))
    assert (told in found) if told else (found == set())
