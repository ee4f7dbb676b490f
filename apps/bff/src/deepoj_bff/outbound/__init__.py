"""Adapters that the application drives."""
