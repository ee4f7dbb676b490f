"""Test data and logs in the object store."""
