"""Version 2025-09 of the format."""
