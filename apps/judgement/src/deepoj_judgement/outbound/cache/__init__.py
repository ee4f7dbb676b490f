"""Test data on the local disk."""
