"""Pages of statements: made once for a text, and kept."""
