"""Games, log and boards in PostgreSQL."""
