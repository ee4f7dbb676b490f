"""Owns problems and their immutable revisions."""
