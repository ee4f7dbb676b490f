"""Clients of record and question."""
