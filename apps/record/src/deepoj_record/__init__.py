"""Owns submissions and their state machine."""
