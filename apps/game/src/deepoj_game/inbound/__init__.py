"""What drives the game service: calls and events."""
