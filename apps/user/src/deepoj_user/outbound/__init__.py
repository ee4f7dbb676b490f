"""What the service calls."""
