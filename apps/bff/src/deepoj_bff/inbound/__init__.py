"""Adapters that drive the application."""
