"""Events of other services."""
