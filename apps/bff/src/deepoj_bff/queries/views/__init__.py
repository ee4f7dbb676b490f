"""What people are shown, in JSON."""
