"""The stream of events."""
