"""Use cases that change something, one a file, and the ports they need."""
