"""The tables that statements are built from are those that the migrations make."""

from __future__ import annotations

import pytest
from sqlalchemy import Table

from deepoj_game.outbound.postgres import tables
from deepoj_game.outbound.postgres.facts import FactRow
from deepoj_game.outbound.postgres.game_lock import CounterRow
from deepoj_game.outbound.postgres.games import GameRow
from deepoj_game.outbound.postgres.people import ClarificationRow, ParticipantRow
from deepoj_game.outbound.postgres.work import AuditRow, WorkRow
from deepoj_kit.testing.tables import differences


def test_every_table_has_the_columns_that_migrations_made(game_url: str) -> None:
    assert differences(game_url, tables.METADATA) == [("remove_table", "inbox")]


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
