"""What changes a game: one use case a file."""
