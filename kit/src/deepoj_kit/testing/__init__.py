"""Fixtures that give a test a part of a real server to itself."""
