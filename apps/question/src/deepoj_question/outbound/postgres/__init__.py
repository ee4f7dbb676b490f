"""Questions and revisions in PostgreSQL."""
