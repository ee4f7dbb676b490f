"""What front doors share through Redis."""
