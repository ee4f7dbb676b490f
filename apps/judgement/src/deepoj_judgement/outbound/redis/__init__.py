"""Presence of judge workers."""
