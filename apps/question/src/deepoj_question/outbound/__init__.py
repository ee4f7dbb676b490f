"""Whom we call."""
