"""The message tables that migrations make are the ones the kit's code works on."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import MetaData, NullPool, create_engine, make_url

from deepoj_kit.inbox import inbox_table
from deepoj_kit.outbox import outbox_table
from deepoj_migrations import upgrade


@pytest.mark.parametrize(
    ("service", "tables"),
    [
        ("record", {"outbox"}),
        ("question", {"outbox"}),
        ("game", {"inbox"}),
        ("user", {"outbox"}),
    ],
)
def test_migrated_message_tables_equal_the_kits(postgres_url: str, service: str, tables: set[str]) -> None:
    upgrade(postgres_url, service)
    metadata = MetaData(schema=service)
    for name, define in (("outbox", outbox_table), ("inbox", inbox_table)):
        if name in tables:
            define(metadata)
    assert differences(postgres_url, metadata, tables) == []


def test_a_table_that_differs_is_noticed(postgres_url: str) -> None:
    upgrade(postgres_url, "record")
    metadata = MetaData(schema="record")
    outbox_table(metadata).columns["last_error"].nullable = False
    assert len(differences(postgres_url, metadata, {"outbox"})) == 1


def differences(url: str, metadata: MetaData, tables: set[str]) -> list[object]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    options = {
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "table" or name in tables,
        "compare_server_default": True,
    }
    with engine.connect() as connection:
        found: list[object] = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    return found
