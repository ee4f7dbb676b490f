"""What a problem setter does on one machine, without services: judge solutions, verify a package."""
