"""The database that the compose file makes: each service's role uses its own schema and sees no other."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import pytest

from deepoj_kit.embedded.binaries import find_postgres
from deepoj_migrations import SERVICES, upgrade

if TYPE_CHECKING:
    from deepoj_kit.testing.plugin import PrivateServer

COMPOSE = Path(__file__).parents[2] / "ops" / "compose"


def test_each_role_reads_and_writes_its_own_schema_and_no_other(
    private_postgres: PrivateServer, tmp_path: Path
) -> None:
    subprocess.run([COMPOSE / "make-secrets", tmp_path / "secrets"], check=True, capture_output=True)
    with psycopg.connect(private_postgres.url, autocommit=True) as connection:
        told = connection.info
        environ = {
            "PATH": f"{find_postgres()}:{os.environ['PATH']}",
            "PGHOST": told.host, "PGPORT": str(told.port), "PGPASSWORD": told.password,
            "POSTGRES_USER": told.user, "POSTGRES_DB": told.dbname,
            "ROLES_FILE": str(tmp_path / "secrets" / "roles"),
        }  # fmt: skip
        subprocess.run([COMPOSE / "make-roles.sh"], env=environ, check=True)
    for service in SERVICES:
        upgrade(private_postgres.url, service)
    for service in SERVICES:
        settings = tomllib.loads((tmp_path / "secrets" / f"{service}.toml").read_text())
        login = urlsplit(settings["postgres_url"])
        with psycopg.connect(
            private_postgres.url, user=login.username, password=login.password, autocommit=True
        ) as connection:
            tables = connection.execute(
                "SELECT schemaname, tablename FROM pg_tables"
                " WHERE has_schema_privilege(schemaname, 'USAGE') AND schemaname = ANY(%s)"
                " AND has_table_privilege(format('%%I.%%I', schemaname, tablename), 'SELECT, INSERT')",
                (list(SERVICES),),
            ).fetchall()
            assert {schema for schema, _ in tables} == {service}
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f'CREATE TABLE "{service}".mine (a int)'.encode())
