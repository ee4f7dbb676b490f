"""What can be seen from outside."""
