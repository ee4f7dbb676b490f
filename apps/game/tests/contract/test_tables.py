"""The tables that statements are built from are those that the migrations make."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import NullPool, Table, create_engine, make_url

from deepoj_game.outbound.postgres import tables
from deepoj_game.outbound.postgres.facts import FactRow
from deepoj_game.outbound.postgres.game_lock import CounterRow
from deepoj_game.outbound.postgres.games import GameRow
from deepoj_game.outbound.postgres.people import ClarificationRow, ParticipantRow
from deepoj_game.outbound.postgres.work import AuditRow, WorkRow


def test_every_table_has_the_columns_that_migrations_made(game_url: str) -> None:
    engine = create_engine(make_url(game_url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    known = {table.name for table in tables.METADATA.tables.values()}
    options = {
        "include_schemas": True,
        "include_name": lambda name, kind, _: kind != "table" or name in known,
        "include_object": lambda _, __, kind, ___, ____: kind in {"table", "column"},
    }
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts=options)
        found = [
            each for each in compare_metadata(context, tables.METADATA) if "comment" not in kind_of(each)
        ]
        made = context.dialect.get_table_names(connection, schema="game")
    assert found == []
    assert set(made) - known == {"alembic_version", "inbox"}


def kind_of(difference: Sequence[object]) -> str:
    """Name what differs; the differences of one column come as a list. Comments are the migrations' own."""
    first = difference[0]
    return str(first[0] if isinstance(first, tuple) else first)


@pytest.mark.parametrize(
    ("row", "table"),
    [
        (ParticipantRow, tables.PARTICIPANTS),
        (ClarificationRow, tables.CLARIFICATIONS),
        (CounterRow, tables.COUNTERS),
        (AuditRow, tables.AUDIT),
        (GameRow, tables.GAMES),
        (FactRow, tables.FACTS),
        (WorkRow, tables.WORK),
    ],
)
def test_a_row_has_its_columns_in_the_order_of_the_table(row: type[tuple[object, ...]], table: Table) -> None:
    fields: tuple[str, ...] = getattr(row, "_fields")  # noqa: B009 — every named tuple has it
    of_the_table = [name for name in fields if name in table.columns]
    assert of_the_table == [name for name in tables.names(table) if name in fields]
    assert of_the_table == list(fields[: len(of_the_table)])
