"""Events of the other services."""
