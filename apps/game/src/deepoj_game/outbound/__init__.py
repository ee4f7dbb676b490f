"""What the game service calls: its database, the streams, record."""
