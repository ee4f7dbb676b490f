"""The database schema of every service, one Alembic tree each."""
