from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from deepoj_migrations import SERVICES, upgrade


@pytest.fixture
def database(postgres_url: str) -> Iterator[psycopg.Connection]:
    """Give a connection to a database with every schema at its newest revision."""
    for service in SERVICES:
        upgrade(postgres_url, service)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        yield connection
