"""Bring the databases up to date, then give each service a role that reaches its own schema only."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from deepoj.credentials import Credentials
from deepoj.errors import Exit, Failure
from deepoj_kit.embedded.mark import read_mark, write_mark
from deepoj_kit.embedded.roles import SchemaRole, ensure_database, ensure_roles, role_url

DATABASE = "deepoj"


@dataclass(frozen=True, slots=True)
class Migrations:
    upgrade: Callable[[str], None]
    fingerprint: Callable[[], str]
    """Two equal ones mean that there is nothing new to apply."""


def upgrade(url: str) -> None:
    """Upgrade every schema that is behind."""
    import deepoj_migrations  # noqa: PLC0415 — Alembic takes a second to import and is seldom needed

    for service in deepoj_migrations.SERVICES:
        if not deepoj_migrations.is_current(url, service):
            try:
                deepoj_migrations.upgrade(url, service)
            except Exception as error:  # whatever a migration does, the reader gets one sentence
                said = " ".join(str(error).split()) or type(error).__name__
                raise Failure(
                    f"the migration of schema {service} failed and was rolled back: {said}; nothing was "
                    "changed in that schema, so the release that was running before can be started again",
                    Exit.FAILED,
                ) from error


def fingerprint() -> str:
    """Return a hash of the migration scripts, read without importing them."""
    spec = importlib.util.find_spec("deepoj_migrations")
    digest = hashlib.sha256()
    for root in () if spec is None else spec.submodule_search_locations or ():
        for script in sorted(Path(root).rglob("*.py")):
            digest.update(f"{script.relative_to(root)}\0".encode() + script.read_bytes())
    return digest.hexdigest()


MIGRATIONS = Migrations(upgrade, fingerprint)


def prepare_embedded(
    admin_url: str, credentials: Credentials, services: Sequence[str], migrations: Migrations
) -> dict[str, str]:
    """Return the URL for each service. Only this function and the migrations see the superuser's."""
    url = ensure_database(admin_url, DATABASE)
    wanted = migrations.fingerprint()
    if read_mark(url) != wanted:
        migrations.upgrade(url)
        write_mark(url, wanted)
    roles = tuple(SchemaRole(f"deepoj_{name}", name, credentials.roles[name]) for name in services)
    ensure_roles(url, roles)
    return {each.schema: role_url(url, each) for each in roles}
