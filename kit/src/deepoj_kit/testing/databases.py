"""Databases of a test's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from psycopg import sql

from deepoj_kit.testing.servers import Servers

EMPTY = "template0"
_COPY = "CREATE DATABASE {} TEMPLATE {} STRATEGY file_copy"


@contextmanager
def own_database(servers: Servers, template: str = EMPTY) -> Iterator[str]:
    """Copy a database for a while; give the copy's URL."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(servers.postgres_url, autocommit=True) as admin:
        admin.execute(sql.SQL(_COPY).format(sql.Identifier(name), sql.Identifier(template)))
        yield urlsplit(servers.postgres_url)._replace(path=f"/{name}").geturl()
        admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
