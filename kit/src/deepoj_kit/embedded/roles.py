"""A database, and for each schema a login role that can use that schema and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import LiteralString
from urllib.parse import quote, urlsplit

import psycopg
from psycopg import Connection, sql

TABLE_RIGHTS = sql.SQL("SELECT, INSERT, UPDATE, DELETE")
SEQUENCE_RIGHTS = sql.SQL("USAGE, SELECT")


@dataclass(frozen=True, slots=True)
class SchemaRole:
    role: str
    schema: str
    password: str = field(repr=False)


def ensure_database(admin_url: str, name: str) -> str:
    """Make the database when it is missing; return its URL."""
    with psycopg.connect(admin_url, autocommit=True) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone()
        if known is None:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return urlsplit(admin_url)._replace(path=f"/{name}").geturl()


def ensure_roles(database_url: str, roles: tuple[SchemaRole, ...]) -> None:
    """Make or correct each role; a schema that does not exist yet is skipped."""
    with psycopg.connect(database_url) as connection:
        database = sql.Identifier(connection.info.dbname)
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database))
        connection.execute(sql.SQL("REVOKE ALL ON SCHEMA public FROM PUBLIC"))
        for each in roles:
            _ensure_role(connection, each)
            connection.execute(
                sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}").format(
                    database, sql.Identifier(each.role)
                )
            )
            if _exists(connection, "SELECT 1 FROM pg_namespace WHERE nspname = %s", each.schema):
                _grant(connection, each)


def role_url(database_url: str, each: SchemaRole) -> str:
    """Return the same database's URL with the role's login."""
    parts = urlsplit(database_url)
    host = parts.netloc.rpartition("@")[2]
    return parts._replace(netloc=f"{quote(each.role)}:{quote(each.password, safe='')}@{host}").geturl()


def _ensure_role(connection: Connection, each: SchemaRole) -> None:
    # Hashed here: a statement with the password in it could end up in the server's log.
    hashed = connection.pgconn.encrypt_password(each.password.encode(), each.role.encode(), b"scram-sha-256")
    known = _exists(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", each.role)
    verb = sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}" if known else "CREATE ROLE {} LOGIN PASSWORD {}")
    connection.execute(verb.format(sql.Identifier(each.role), sql.Literal(hashed.decode())))


def _grant(connection: Connection, each: SchemaRole) -> None:
    names: Mapping[str, sql.Composable] = {
        "schema": sql.Identifier(each.schema),
        "role": sql.Identifier(each.role),
        "tables": TABLE_RIGHTS,
        "sequences": SEQUENCE_RIGHTS,
    }
    for statement in (
        "GRANT USAGE ON SCHEMA {schema} TO {role}",
        "GRANT {tables} ON ALL TABLES IN SCHEMA {schema} TO {role}",
        "GRANT {sequences} ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT {tables} ON TABLES TO {role}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT {sequences} ON SEQUENCES TO {role}",
    ):
        connection.execute(sql.SQL(statement).format(**names))


def _exists(connection: Connection, query: LiteralString, name: str) -> bool:
    return connection.execute(query, (name,)).fetchone() is not None
