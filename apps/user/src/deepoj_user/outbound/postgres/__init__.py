"""Accounts and all that belongs to them in PostgreSQL."""
