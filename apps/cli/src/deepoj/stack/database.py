"""Bring the databases up to date, then give each service a role that reaches its own schema only."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deepoj.credentials import Credentials
from deepoj.errors import Exit, Failure
from deepoj_kit.embedded.roles import SchemaRole, ensure_database, ensure_roles, role_url

DATABASE = "deepoj"

Migrate = Callable[[str], None]


def load_migrations() -> None:
    """Import them ahead of time; it takes as long as a server takes to start."""
    import deepoj_migrations  # noqa: F401, PLC0415 — for its effect, and not before it is asked for


def migrate(url: str) -> None:
    """Upgrade every schema that is behind."""
    import deepoj_migrations  # noqa: PLC0415 — as above

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


def prepare_embedded(
    admin_url: str, credentials: Credentials, services: Sequence[str], upgrade: Migrate
) -> dict[str, str]:
    """Return the URL for each service. Only this function sees the superuser's."""
    url = ensure_database(admin_url, DATABASE)
    upgrade(url)
    roles = tuple(SchemaRole(f"deepoj_{name}", name, credentials.roles[name]) for name in services)
    ensure_roles(url, roles)
    return {each.schema: role_url(url, each) for each in roles}
