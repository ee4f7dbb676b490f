"""The tables that statements take their columns from are those that the migrations make."""

from __future__ import annotations

from deepoj_kit.testing.tables import differences
from deepoj_user.outbound.postgres.tables import METADATA


def test_every_table_has_the_columns_that_migrations_made(user_url: str) -> None:
    assert differences(user_url, METADATA) == []
