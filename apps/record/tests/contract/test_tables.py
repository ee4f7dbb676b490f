"""The tables that the code names are the ones that the migrations make."""

from __future__ import annotations

from sqlalchemy import MetaData, Text

from deepoj_kit.testing.tables import differences
from deepoj_record.outbound.postgres.tables import SUBMISSIONS, TABLES


def test_every_column_has_its_name_its_type_and_its_nullability(record_url: str) -> None:
    assert differences(record_url, SUBMISSIONS.metadata) == []


def test_the_schema_has_no_other_table(record_url: str) -> None:
    assert set(SUBMISSIONS.metadata.sorted_tables) == set(TABLES)
    assert differences(record_url, MetaData(schema="record")) == [
        ("remove_table", name) for name in sorted(table.name for table in TABLES)
    ]


def test_a_column_that_differs_is_noticed(record_url: str) -> None:
    planted = MetaData(schema="record")
    copies = {table.name: table.to_metadata(planted) for table in TABLES}
    copies["rejudges"].c.reason.nullable = True
    copies["attempts"].c.started_at.type = Text()
    assert differences(record_url, planted) == [("modify_nullable", "reason"), ("modify_type", "started_at")]
