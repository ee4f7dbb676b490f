"""The object store, which record only reads."""
