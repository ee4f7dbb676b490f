"""Who calls the service."""
