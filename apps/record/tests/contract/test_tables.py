"""The tables that the code names are the ones that the migrations make."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import MetaData, NullPool, Table, Text, create_engine, make_url

from deepoj_record.outbound.postgres.tables import SUBMISSIONS, TABLES


def test_every_column_has_its_name_its_type_and_its_nullability(record_url: str) -> None:
    assert differences(record_url, SUBMISSIONS.metadata) == []


def test_the_schema_has_no_other_table(record_url: str) -> None:
    assert set(SUBMISSIONS.metadata.sorted_tables) == set(TABLES)
    assert differences(record_url, MetaData(schema="record")) == [
        ("remove_table", name) for name in sorted(table.name for table in TABLES)
    ]


def test_a_column_that_differs_is_noticed(record_url: str) -> None:
    planted = MetaData()
    copies = {table.name: table.to_metadata(planted) for table in TABLES}
    copies["rejudges"].c.reason.nullable = True
    copies["attempts"].c.started_at.type = Text()
    assert differences(record_url, planted) == [("modify_nullable", "reason"), ("modify_type", "started_at")]


def differences(url: str, metadata: MetaData) -> list[tuple[str, str]]:
    """Of tables and columns; indexes and constraints are the migrations' alone."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    options = {
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "schema" or name == "record",
        "include_object": lambda _, name, kind, *__: (
            kind in {"table", "column"} and name != "alembic_version"
        ),
        "compare_type": True,
    }
    with engine.connect() as connection:
        found = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    flat = [each for diff in found for each in (diff if isinstance(diff, list) else [diff])]
    named = [
        (diff[0], diff[1].name if isinstance(diff[1], Table) else str(diff[3]))
        for diff in flat
        if not diff[0].endswith("comment")
    ]
    return sorted(named)
