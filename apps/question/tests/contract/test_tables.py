"""The tables that statements are built from are those that the migrations make."""

from __future__ import annotations

from deepoj_kit.testing.tables import differences
from deepoj_question.outbound.postgres.tables import METADATA


def test_every_table_has_the_columns_that_migrations_made(question_url: str) -> None:
    assert differences(question_url, METADATA) == []
