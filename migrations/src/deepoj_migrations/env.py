"""Alembic's entry point, the same for every service: one transaction, one schema."""

from alembic import context
from sqlalchemy import Connection, text

connection: Connection = context.config.attributes["connection"]
schema: str = context.config.attributes["schema"]

connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{schema}"'))
connection.execute(text(f'SET LOCAL search_path TO "{schema}"'))
context.configure(connection=connection, version_table_schema=schema, transactional_ddl=True)
context.run_migrations()
