"""The ports of commands and queries, implemented."""
