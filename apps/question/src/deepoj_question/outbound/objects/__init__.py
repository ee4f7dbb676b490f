"""Test data and assets in the object store."""
