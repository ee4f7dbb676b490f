"""Whether the tables that code names are those that migrations made."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import MetaData, NullPool, Table, create_engine, make_url


def differences(url: str, metadata: MetaData) -> list[tuple[str, str]]:
    """Of tables and columns; indexes and constraints are the migrations' alone."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    options = {
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "schema" or name == metadata.schema,
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
