"""Other services."""
