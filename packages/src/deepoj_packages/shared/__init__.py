"""What both versions of the format have in common."""
