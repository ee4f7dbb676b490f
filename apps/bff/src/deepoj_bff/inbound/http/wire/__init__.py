"""What clients send, in JSON."""
