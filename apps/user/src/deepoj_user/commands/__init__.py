"""What changes accounts, sessions and tokens."""
