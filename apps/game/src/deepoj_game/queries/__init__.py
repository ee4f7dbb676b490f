"""What is read of games and boards."""
