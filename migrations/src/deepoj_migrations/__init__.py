"""The database schema of every service, one Alembic tree each."""

from deepoj_migrations.run import SERVICES, downgrade, is_current, knows, upgrade

__all__ = ["SERVICES", "downgrade", "is_current", "knows", "upgrade"]
