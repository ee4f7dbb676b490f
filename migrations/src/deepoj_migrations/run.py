"""Bring one service's schema to a revision."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, NullPool, create_engine, make_url, text

SERVICES = ("record", "judgement", "question", "game", "user")
HERE = Path(__file__).parent
# Two migrations of one database at the same time would both see the old version; one waits for the other.
LOCK = "SELECT pg_advisory_xact_lock(hashtext('deepoj_migrations'))"


def upgrade(url: str, service: str, revision: str = "head") -> None:
    with _connection(url) as connection:
        command.upgrade(_config(service, connection), revision)


def downgrade(url: str, service: str, revision: str) -> None:
    with _connection(url) as connection:
        command.downgrade(_config(service, connection), revision)


def is_current(url: str, service: str) -> bool:
    with _connection(url) as connection:
        context = MigrationContext.configure(connection, opts={"version_table_schema": service})
        return context.get_current_heads() == tuple(scripts(service).get_heads())


def knows(service: str, revision: str) -> bool:
    """Return whether this release has the revision; a later one may have others."""
    return service in SERVICES and any(
        each.revision == revision for each in scripts(service).walk_revisions()
    )


def scripts(service: str) -> ScriptDirectory:
    return ScriptDirectory.from_config(_config(service, None))


@contextmanager
def _connection(url: str) -> Iterator[Connection]:
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), poolclass=NullPool)
    with engine.begin() as connection:
        connection.execute(text(LOCK))
        yield connection


def _config(service: str, connection: Connection | None) -> Config:
    if service not in SERVICES:
        raise ValueError(f"there is no schema {service!r}: choose one of {', '.join(SERVICES)}")
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.set_main_option("version_locations", str(HERE / service / "versions"))
    config.set_main_option("path_separator", "newline")
    config.attributes.update(connection=connection, schema=service)
    return config
