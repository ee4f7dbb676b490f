from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest

from deepoj_migrations import SERVICES, upgrade


@pytest.fixture(scope="session")
def newest(make_template: Callable[[Callable[[str], None]], str]) -> str:
    """Migrate every schema once; each test gets a copy."""

    def prepare(url: str) -> None:
        for service in SERVICES:
            upgrade(url, service)

    return make_template(prepare)


@pytest.fixture
def database(newest: str, make_database: Callable[[str], str]) -> Iterator[psycopg.Connection]:
    """Give a connection to a database with every schema at its newest revision."""
    with psycopg.connect(make_database(newest), autocommit=True) as connection:
        yield connection
