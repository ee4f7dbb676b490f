"""Clients of other services."""
